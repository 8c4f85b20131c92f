import { useCompileCache } from './compile-cache.ts';

// `npm start`: the whole product. This process owns the database and the port, and starts the processes that answer requests.

useCompileCache();
const { startProduct } = await import('../main/product.ts');
await startProduct();
