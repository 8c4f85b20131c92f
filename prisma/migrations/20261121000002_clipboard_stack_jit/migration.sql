-- What these functions switch off (see clipboard_stack) counts as an enormous cost up to PostgreSQL 17, and a cost so high
-- has a server with LLVM compile the plan anew in every call: a pop took 200 to 400 milliseconds instead of one.
ALTER FUNCTION clipboard_change_stack SET jit = off;
ALTER FUNCTION clipboard_remove_by_index SET jit = off;
