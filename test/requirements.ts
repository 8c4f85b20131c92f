/**
 * The requirements of docs/specification, a sentence each. A test cites what it proves with `verifies(id)`, and
 * test/sweeps/requirements.test.ts finds requirements without a test. An id never changes its meaning: a removed
 * requirement takes its id with it.
 */
export const requirements = {
  // docs/specification/clipboard.md#entries
  'clipboard.entry.fields':
    'An entry is answered with uuid, name, idx, value, contentType, encoding, sizeBytes, visibility, createdByTool, createdByModel, source, createdAt, updatedAt and expiresAt; absent values are explicit null.',
  'clipboard.entry.defaults':
    'contentType is text/plain, encoding utf-8, visibility private and ttlSeconds 86400 where they are left out.',
  'clipboard.entry.size': 'sizeBytes counts the UTF-8 bytes of the value as stored.',
  'clipboard.name.form':
    'A name has 1 to 255 letters, digits, underscores and hyphens; any other is 400 naming `name`.',
  'clipboard.value.any': 'A value is any string, the empty one too, and comes back byte by byte; no other type is one.',
  'clipboard.value.limit': 'A value of 2 097 152 bytes is stored; one more is 413 `Value exceeds maximum size of 2MB`.',
  'clipboard.value.storable':
    'A NUL character or a lone surrogate in a value is 400, never 500 and never changed silently.',
  'clipboard.encoding.canonical': 'base64 must be canonical and hex of even length; otherwise 400 naming `value`.',
  'clipboard.labels.form':
    'contentType, createdByTool and createdByModel have at most 255 characters and no control characters.',
  'clipboard.ttl.bounds': 'ttlSeconds is an integer from 1 to 2 592 000; anything else is 400 naming the field.',
  'clipboard.expiry.exact':
    'An entry is absent from its expiresAt on, at that very instant and on every path: get, list, pop, delete, node.',
  'clipboard.expiry.reset': 'After expiry a name that is set again is a new entry with a new uuid and createdAt.',
  'clipboard.expiry.purge': 'A job deletes expired entries; readers do not depend on it.',
  'clipboard.source':
    'source is ui for a session, sdk or mcp by the channel of the key; a source from the client is ignored.',
  'clipboard.visibility':
    'private is for the profile, workspace for every profile of the project, public for any authenticated caller; shared entries are read by uuid.',
  'clipboard.errors.shape': 'A clipboard error is {success: false, error, details?, retryAfter?}.',
  'clipboard.errors.status':
    'A missing entry is 404, bad input 400, over 2 MB 413, unauthenticated 401 with error "Unauthorized".',

  // docs/specification/clipboard.md
  'clipboard.list':
    'GET /api/clipboard answers named and stack entries of the profile: stack by index, then names, newest first.',
  'clipboard.list.page':
    'The list takes limit (default and at most 1000), offset and contentType, and answers total, limit and offset.',
  'clipboard.get':
    'POST /api/clipboard/get answers one entry by name or by idx; a missing one is 404 `Entry not found`.',
  'clipboard.get.selector': 'Get with both or neither of name and idx is 400 `Validation error`.',
  'clipboard.get.query': 'GET /api/clipboard?name= or ?idx= answers {success, entry} or 404.',
  'clipboard.get.uuid': "GET /api/clipboard/entries/{uuid} answers an entry that is the caller's or shared with it.",
  'clipboard.set': 'POST /api/clipboard creates a named entry.',
  'clipboard.set.replace': 'Setting an existing name keeps uuid and createdAt and replaces the rest, also expiry.',
  'clipboard.push': 'POST /api/clipboard/push answers the new entry with idx 0; every other index grows by one.',
  'clipboard.pop': 'DELETE /api/clipboard/pop answers and removes the entry at index 0; the answer has no expiresAt.',
  'clipboard.pop.empty': 'Pop on an empty stack is 404 `Entry not found`.',
  'clipboard.pop.post': 'POST /api/clipboard/pop is the twin of DELETE.',
  'clipboard.delete':
    'DELETE /api/clipboard by name or idx answers {success, deleted}; a missing entry is deleted: false.',
  'clipboard.delete.selector': 'Delete with both or neither of name and idx is 400.',
  'clipboard.delete.clear-all':
    '{clearAll: true} deletes all entries and answers {success, deleted, deletedCount}, of which both are the count.',
  'clipboard.clear':
    'DELETE /api/clipboard/all removes all entries of the profile and answers {success, deletedCount}.',
  'clipboard.index.live': 'The index is computed among live entries: an expired one leaves no gap.',
  'clipboard.concurrency':
    'Pushes and pops of a profile are serialised: strictly last in first out, no entry popped twice, no false "not found".',
  'clipboard.graph': 'The graph has the same operations, a Relay connection and errors with the codes of REST.',
  'clipboard.changed':
    "clipboardChanged reports every change of the caller's own profile through every entry point, and no change of others.",

  // docs/specification/documents.md
  'documents.upload':
    'POST /api/documents/upload stores a file of a multipart form and answers {success, documentId, document}; fields are camelCase.',
  'documents.list':
    'GET /api/documents answers {documents, total, limit, offset}; it takes limit (20 by default), offset, search and source.',
  'documents.reading':
    'GET /api/documents/{id}/text reads one of your documents by lines, and GET /api/documents/grep finds lines by a regular expression in linear time and bounded steps.',
  'documents.extraction':
    'A file that is damaged, protected, too large unpacked, too slow or too hungry is given up with a reason, and the files behind it are read (H06).',
  'documents.search':
    'POST /api/documents/search finds the documents of the own profile by words and by meaning, with citations; wrong fields are 400 by name.',
  'documents.versions':
    'A new file is a new version; search finds the version before until the new one is ready; versions are listed and restored.',
  'documents.upload.input':
    'A forbidden upload is rejected before its body is read, an invalid one with the names of its wrong fields; neither leaves a file.',
  'documents.upload.idempotency':
    'An upload takes an Idempotency-Key: the same file, by its name and content, with the same fields is stored once; another is 422.',
  'documents.quota':
    'A profile stores at most DOCUMENT_STORAGE_MB and DOCUMENTS_MAX, deleted documents included; then 409.',
  'documents.orphans':
    'An upload that is aborted, cannot be stored or is cut short by a crash leaves no file and no event.',
  'documents.storage':
    'A local folder and a bucket of an S3-compatible storage keep files alike; one that is away, slow or wrong is an error of bounded time that leaves nothing.',
  'documents.canaries':
    'What a document holds, its names and why it could not be read stand in no log, no metric and no answer to another profile.',
  'documents.remaining':
    'remainingSeconds goes by the measured pace, the queue before the document and the pause before its next attempt; null when nothing is to come.',
  'documents.comparison':
    'A file without a row is removed from the storage after a day; the versions of a row without a file fail with a reason; the storage of another installation is left alone.',
  'documents.names': 'The name of a file is bounded text, and never part of a path.',
  'documents.failed':
    'A file that cannot be read is kept with a reason, and a notification document_rag_failed is made.',
  'documents.duplicates':
    'An upload with the content of another document of the profile is stored, and names the other.',
  'documents.removal': 'A profile that is deleted takes the files of its documents along.',
  'documents.ingestion':
    'A document is read once, by one worker at a time; faults of the platform are retried with growing pauses, and another worker takes over.',
  'documents.deletion':
    'A deleted document can be restored for 30 days and is then removed with its files; creation and deletion are events.',
  'documents.progress': 'documentProgress reports the progress of the caller’s own documents only.',
  'documents.visibility':
    'visibility decides who may read the metadata of a document by its id; its file, versions and text are for its profile.',
  'documents.ai': 'POST /api/documents/ai answers 201, keeps the attribution of the model and notifies the profile.',
  'documents.download':
    'GET /api/library/download/{id} answers the file as an attachment with nosniff and a sandbox, by ranges, to its owner alone.',

  // docs/specification/chat.md
  'chat.session':
    'POST /api/embedded-chat/sessions answers {sessionId, profileUuid, model, temperature, maxTokens, createdAt}; temperature 0 to 2, maxTokens 1 to 32 000, a model that is configured; anything else is 400 naming the field.',
  'chat.message':
    'POST /api/embedded-chat/messages answers {sessionId, messageId, role, content, citations, usage, createdAt}; a message has 1 to 4 000 characters.',
  'chat.extractive':
    'Without a language model the answer quotes the best passages, cites them and says so (`"model": "extractive"`).',
  'chat.tenants':
    "Another's session or message is answered like one that does not exist, and answers rest on the caller's own documents alone.",
  'chat.endpoint':
    'Any endpoint that speaks the chat protocol of OpenAI answers; a slow, busy, failing, malformed or endless one fails the answer with a reason, and its text so far is kept.',
  'chat.citations':
    'A citation has the document, its version, offsets and the SHA-256 of its words, which are compared with the stored text; unknown numbers are removed, and what cannot be verified is marked.',
  'chat.data':
    'Text of documents is given to a model as data in a message of the user alone, in a block that it cannot end.',
  'chat.history':
    'A model is given whole turns, the newest first, as far as they fit; system prompt and question are always in it.',
  'chat.stream':
    'Answers are followed in numbered steps over the graph and as server-sent events, and go on after a lost connection.',
  'chat.endings':
    'An answer can be aborted, which ends the call of the model; one whose process ended has an unknown outcome and can be tried again, once.',
  'chat.stale':
    'When a new version changes a cited passage, the answers are marked, the profile is notified once, and a new answer can be requested; a deletion removes the passage.',
  'chat.tools':
    'An answer calls the tools of MCP servers that its session lists, and no other. Each call is stored before the server is asked, and is shown in the message and live.',
  'chat.tools.bounds':
    'A tool that fails, hangs or floods gives the model an error and does not fail the answer. Steps, calls, time, arguments and results are bounded.',
  'chat.tools.authorization':
    'Tools of protected servers are called with the token of the owner, which is refreshed once after a 401; without a token the call fails and the answer goes on.',
  'chat.tools.listed':
    "A session lists at most 20 tools of the profile's own servers; each wrong one is named, and another's server is like one that does not exist.",
  'chat.costs': 'Tokens are counted by session and by month of the profile, and end with the budget of the month.',

  // docs/specification/notifications.md
  'notifications.create':
    'POST /api/notifications makes a notification of type CUSTOM and severity INFO by default for the own profile, and answers {success, notification, notificationId, emailSent}.',
  'notifications.retention':
    'Notifications are removed after NOTIFICATION_RETENTION_DAYS when they were read, and after twice as many days when not.',
  'notifications.custom':
    'POST /api/notifications/custom takes {title?, message, severity, sendEmail} and answers {success, message, notificationId, emailSent}.',
  'notifications.create.form':
    'A title is one line of at most 255 characters, a message has 1 to 5 000, metadata is a JSON object of at most 16 kB; severity and send_email are refused by name.',
  'notifications.text': 'A message is plain text: HTML is stored and answered as it came.',
  'notifications.types':
    'The types are SYSTEM, ALERT, INFO, SUCCESS, WARNING, CUSTOM, server_installed, document_created_ai, document_rag_failed, agent_unhealthy and webhook_failed.',
  'notifications.event':
    'Each new notification is an event notification.created with its id and type: there exactly when the notification is.',
  'notifications.email':
    "send_email sends it to the profile's user too; emailSent is true if an email was queued, and false in production without a mail server.",
  'notifications.mail.delivery':
    'Emails are delivered at least once: a temporary failure is tried again, a permanent rejection of the recipient is not.',
  'notifications.mail.local':
    'Without a mail server emails are kept outside production, and their recipient alone reads them at /dev/mail.',
  'notifications.mail.injection': 'A line break in a title, subject or address is refused, never a header of an email.',
  'notifications.list':
    'GET /api/notifications lists the newest first by limit (default 20, at most 100) and offset, with total and unread_count.',
  'notifications.list.unread':
    'unread, onlyUnread and unreadOnly mean the same; another value, or two that disagree, is 400 with details.',
  'notifications.snapshot': 'The list, its total and unread_count are of one snapshot.',
  'notifications.order': 'The order of a profile is the order of the commits, between all processes.',
  'notifications.read': 'PATCH /api/notifications/{id}/read sets read and read_at, once: read_at is stable.',
  'notifications.read-all': 'PATCH /api/notifications/read-all marks all as read and answers how many were unread.',
  'notifications.completed': 'PATCH /api/notifications/{id}/completed sets or inverts the completed state.',
  'notifications.delete': 'DELETE /api/notifications/{id} removes it for good and answers {success, message}.',
  'notifications.not-found': "An unknown, malformed or another tenant's id is the same 404 `Notification not found`.",
  'notifications.live':
    "notificationAdded reports every new notification of the caller's own profile, in order and once, and none of others.",
  'notifications.live.resume':
    'With sinceId a lost connection loses nothing: missed notifications come first, without gap or duplicate.',
  'notifications.live.shared': 'However many listen to a profile in a process, an event costs one read.',
  'notifications.live.unread':
    'unreadCountChanged sends the number of unread notifications at once and whenever it changes.',

  // docs/specification/general.md
  'everywhere.success': 'Success is 200 on every documented endpoint.',
  'everywhere.empty-body': 'Content-Type: application/json with an empty body is fine on GET, DELETE and POST.',
  'everywhere.unknown-fields': 'Unknown body fields are ignored, never honoured.',
  'everywhere.malformed-json':
    "Malformed JSON, and JSON that is not an object, is 400 in the shape of the route's group.",
  'everywhere.too-large':
    "A body over the limit is 413 in the shape of the route's group. Nothing of it is kept, and at most 32 MB more are read so that the sender gets the answer.",
  'everywhere.media-type':
    "An unsupported media type, charset or content encoding is 415 in the shape of the route's group.",
  'everywhere.method': "A wrong method is 405 with Allow in the shape of the route's group.",
  'everywhere.unknown-path': 'An unknown path is 404 in the general shape.',
  'everywhere.percent-encoding': "Bad percent-encoding is 400 in the shape of the route's group.",
  'everywhere.never-html': 'No failure is ever HTML, an empty 500, or carries a stack trace.',
  'everywhere.nasty-values': 'NUL characters, lone surrogates and integers past 2^31 are 400, not 500.',
  'everywhere.malformed-uuid': 'A malformed UUID in a path is the same 404 as an unknown one.',
  'everywhere.foreign-ids': 'Ids of other tenants give byte-identical answers to ids that do not exist.',
  'everywhere.pages': 'limit and offset out of range or not a number are 400 with details, not clamped.',
  'everywhere.profile-uuid': "profileUuid is optional and defaults to the key's profile; another tenant's is 404.",
  'everywhere.request-id': 'X-Request-Id of 1 to 128 of [A-Za-z0-9._-] is accepted and echoed, any other is replaced.',
  'everywhere.cors': 'Any origin may call with a bearer key, without credentials; cookie routes are same-origin only.',
  'everywhere.proxies': 'X-Forwarded-For counts only behind the configured number of proxies.',
  'everywhere.rate-headers':
    'Every answer that counts against a limit carries X-RateLimit-Limit, -Remaining and -Reset, errors and invalid GraphQL documents too.',
  'everywhere.unavailable':
    "While the database is away answers are 503 in the shape of the route's group, and it recovers without a restart.",

  // docs/specification/identity.md
  'identity.guesses':
    'Wrong passwords for one account from many addresses are limited together, and do not lock the owner out.',
  'identity.sign-up': 'Sign-up makes a user, a project "Default" and a profile "Default", and signs in.',
  'identity.username':
    'A username has 3 to 30 of [A-Za-z0-9_-], is unique without regard to case, and is not reserved.',
  'identity.sign-in':
    'Sign-in takes email or username with the password; a wrong one is 401 and does not say which is wrong.',
  'identity.sign-out': 'Sign-out ends the session on the server and removes the cookie.',
  'identity.session.read': 'GET /api/auth/session answers user, project and profile of the session.',
  'identity.session.cookie': 'The cookie session_token is HttpOnly, SameSite=Lax, and Secure behind https.',
  'identity.session.rotation': 'A sign-in makes a new session and ends the one that came with it.',
  'identity.session.csrf': 'A request of another site that carries the cookie is refused.',
  'identity.password':
    'A password change ends all other sessions and makes a new one; passwords are stored with argon2id.',
  'identity.projects': 'GET and POST /api/projects list and make projects of the user.',
  'identity.profiles': 'GET and POST /api/profiles list and make profiles of a project.',
  'identity.profiles.activate': 'POST /api/profiles/{uuid}/activate makes a profile the one that the sessions act as.',
  'identity.removal.profile':
    'DELETE /api/profiles/{uuid} deletes a profile that is not the last one, with everything in it.',
  'identity.removal.project': 'DELETE /api/projects/{uuid} deletes a project with its profiles.',
  'identity.removal.account': 'DELETE /api/auth/account deletes the account of the session, with its password.',
  'identity.administration': "An administrator sets a project's tier and disables a user, in the graph.",
  'identity.key.form':
    'A key is pbk_, 43 base62 characters and 6 of a CRC32; a bad checksum is 401 without asking the database.',
  'identity.key.at-rest': 'Only a SHA-256 and a display prefix of a key are stored; the key is shown once.',
  'identity.key.list': 'GET /api/api-keys lists the keys of a profile without their secrets.',
  'identity.key.create':
    'POST /api/api-keys answers {apiKey, secret}; scopes are read and write by default, the channel sdk.',
  'identity.key.expiry': 'A key with expiresAt works until that instant and not at it.',
  'identity.key.scopes': 'A key without the scope of an action is FORBIDDEN.',
  'identity.key.revocation':
    'A revoked key is refused from the next request on, and its sockets and streams are closed.',
  'identity.key.last-used': 'last_used_at is written at most once a minute.',
  'identity.key.header':
    'A key comes as Authorization: Bearer, in any case of the word; two headers, another scheme, or a key in the query is 401.',
  'identity.disabled': "A disabled user's keys and sessions are refused.",

  // docs/specification/general.md#credentials
  'access.anonymous':
    'Every function and route that is not public refuses a caller without credentials as UNAUTHORIZED.',
  'access.tenants': 'No list, cursor, count or id shows anything of another tenant.',

  // docs/specification/general.md#graphql
  'graph.http': "POST and GET /graphql follow GraphQL over HTTP: all of graphql-http's audits pass.",
  'graph.persisted-queries':
    'A hash of a persisted query without a text is answered PERSISTED_QUERY_NOT_SUPPORTED, by POST, GET and over sockets.',
  'graph.no-get-mutation': 'A mutation over GET is 405 and changes nothing.',
  'graph.no-forms': 'A POST of a form, of several parts or of plain text is 415.',
  'graph.descriptions': 'Every type, field, argument and enum value has a description.',
  'graph.printed': 'The committed schema.graphql is the schema that is served.',
  'graph.mutations': 'Mutations are noun first, take one `input` or nothing, and return a payload of their own.',
  'graph.rate-limit': 'Every root field belongs to a class of rate limit.',
  'graph.counted':
    'Every list counts with its real or highest length; a response over the bounds is rejected once, before it is built.',
  'graph.node': "node and nodes answer objects by global id, and null for what does not exist or is not the caller's.",
  'graph.connections':
    'Connections answer nodes, edges, pageInfo and totalCount; first is 20 by default and at most 100.',
  'graph.masked-errors': 'An unexpected error is "Internal server error" with an id, without its text.',
  'graph.socket.protocol': 'graphql-ws closes with 4400, 4401, 4403, 4406, 4408, 4409 and 4429 as its protocol says.',
  'graph.socket.credentials': 'A socket or stream ends when the key or session behind it ends.',
  'graph.socket.stop': 'A server that stops closes sockets with 1001.',
  'graph.socket.limits':
    'Sockets are bounded by caller and address, operations and messages by socket, frames by authentication: 4429, 1009 or RATE_LIMITED.',
  'graph.slow-reader': 'A peer that reads nothing is closed, and its waiting data is bounded.',
  'graph.no-trace': 'A client that goes leaves no subscription, listener or connection behind.',
  'graph.sse': 'Subscriptions run over server-sent events on the same path.',

  // docs/specification/general.md#idempotency
  'everywhere.idempotency':
    'An Idempotency-Key on a creating POST gives the same answer again for 24 hours within key and route, with Idempotent-Replayed: true.',
  'everywhere.idempotency.conflicts':
    'A key is 409 while its first request runs, and 422 when another request comes with it.',
  'everywhere.idempotency.atomic':
    'The effect and its answer are there together or not at all, whatever breaks; a refusal leaves the key free.',
  'everywhere.idempotency.connections':
    'Requests with a key leave connections to other callers, and hold none while they wait for a network.',

  // docs/specification/general.md#requests
  'rest.openapi': 'The OpenAPI document and the routes agree both ways, and every reference in it resolves.',
  'rest.answers': 'Every answer has the documented form.',

  // docs/specification/operations.md
  'platform.kill.process':
    'An acknowledged write survives kill -9 of the process, and the next start adopts the database.',
  'platform.kill.database':
    'An acknowledged write survives kill -9 of the database; writes succeed again without a restart.',
  'platform.sigterm':
    'SIGTERM lets requests in flight finish, answers all connections made before the port closes, and ends with exit code 0.',
  'platform.restart':
    'A process that runs out of memory, hangs or is killed is started again; its port stays open, and the log says why it ended.',
  'platform.processes':
    'PROCESSES web processes share one port, exact limits and live events; one that ends is replaced, and none outlives the first.',
  'platform.one-owner': 'A second process on the same data folder ends with a clear sentence.',
  'platform.config':
    'All mistakes of the environment are reported at once by name, with the expected form and without values.',
  'platform.production': 'In production weak or missing secrets refuse to start, and no demo account is made.',
  'platform.sample-data':
    'npm run seed fills a profile, once, with a month of sample data through the services; a first start does so too, unless SAMPLE_DATA is off, and production never does by itself.',
  'platform.demo': 'The first start makes a demo key in a file of mode 0600; outside a terminal no secret is printed.',
  'platform.health': '/healthz and /readyz show whether the process lives and whether it can serve.',
  'platform.logs': 'Log lines carry the request id and never a key, a cookie, a query or a value.',
  'platform.home':
    'The page at / needs no script; outside production it says where the key, the password and the sample data are; its form signs in under the limits of POST /api/auth/sign-in, for pages of this site alone.',
  'platform.readme': 'The commands of the README run as they stand and find something in the sample data.',
  'platform.pages':
    'Pages and /metrics are packed, cached and counted by address; what a client has is 304 and costs nothing.',
  // docs/specification/oauth.md
  'oauth.flow':
    'POST /api/oauth/initiate answers {authorizationUrl, state, expiresAt} with an S256 code challenge; the callback redirects to /mcp-servers with success or a documented code and the server.',
  'oauth.refresh':
    'POST /api/oauth/refresh answers {success, expiresAt}; 400 without a refresh token, 403 for the server of another user, 409 for reuse, 500 where the exchange failed.',
  'oauth.session':
    'The general API starts, completes, lists and shows sessions in the documented shapes; tokens are answered as ciphertext.',
  'oauth.session.revoke': 'DELETE of a session ends its tokens here and at the authorization server.',
  'oauth.session.input': 'A wrong body of a session names all its wrong fields at once.',
  'oauth.audit': 'Each security event is an audit row that its profile can read and no statement changes.',
  'oauth.landing':
    'The callbacks end on /mcp-servers and /registry, which say success or the error in words and repeat nothing of the query.',
  'oauth.client-metadata':
    "GET /oauth/client-metadata.json is the platform's client id metadata document; over https it is the client of flows that end at the platform's own callback, and of no other.",
  'oauth.figures':
    'The 17 documented metric families count flows of MCP servers and the linking of GitHub accounts, under labels of closed sets.',
  'platform.dashboard':
    'deploy/grafana/patchbay.json is a Grafana dashboard that shows every family of the platform, and none that is not there.',
  'platform.bodies.in-flight':
    'Bytes of bodies and socket messages in memory are bounded per caller (429) and per process (503), from their arrival to the end of the response.',
  'platform.bodies.budget': 'A body is read only for a caller with budget left; large bodies cost their megabytes.',
  'platform.bodies.structure':
    'A JSON body has at most 100 000 elements (10 000 without a credential) and 64 levels, unpacks to at most 100 times its size, and comes in pieces of a useful size.',
  'platform.http.limits':
    'Headers over the limit are 431, garbage is 400, slow headers time out, ambiguous framing is 400; all JSON.',
  'platform.migrations':
    'Migrations run once each, in a transaction, under a lock; a changed or failing file stops and leaves nothing half done.',
  'platform.embedded': 'The embedded database is adopted or recovered after kill -9 and refuses two owners.',

  // docs/specification/operations.md#secrets-at-rest
  'platform.secrets.sealed':
    'A secret at rest is sealed with AES-256-GCM, opens only unchanged and in its place, and a failure shows nothing of it.',
  'platform.secrets.pseudonyms':
    'Text that must not be stored has a pseudonym: the same for the same text, context and key, and useless without the key.',
  'platform.secrets.rotation': 'The first of ENCRYPTION_KEYS seals, and each opens the secrets that it sealed.',
  'platform.secrets.reencrypted':
    'npm run secrets:reencrypt seals everything by the first key while the product serves, lets concurrent changes win, and counts the secrets that it cannot open.',
  'platform.secrets.noted-keys':
    'A process whose encryption keys are not those of the database does not start, and says which key it lacks.',
  'platform.secrets.made-key':
    'Without ENCRYPTION_KEYS, which production demands, one key is made in DATA_DIR with mode 0600, however many start at once.',

  // docs/specification/users.md; docs/hazards.md: B14, B15, B16, F11
  'users.check-username':
    'GET /api/check-username answers {available: boolean}; without `username` it is 400 VALIDATION_ERROR naming it.',
  'users.check-username.judgement':
    'A name is available exactly when a user could sign up with it: 3 to 30 of [A-Za-z0-9_-], not reserved, unique without regard to case.',
  'users.profile':
    'GET /api/users/{username} answers username, bio, avatar_url, is_public, followers_count, following_count, servers_count and social_links, to everybody.',
  'users.profile.hidden':
    'A profile that is not public, a disabled user and an unknown one are the same 404, byte by byte; the owner sees the own one.',
  'users.profile.update':
    'PATCH /api/users/profile changes bio, is_public, avatar_url and social_links, each alone; omitted fields stay, null clears.',
  'users.profile.form':
    'bio has at most 1 000 characters; avatar_url and each of social_links are http or https URLs of at most 2 048 characters without credentials or control characters; otherwise 400 naming the field.',
  'users.profile.assignment': 'is_admin, username, email, uuid and the counts in a body are ignored, never honoured.',
  'users.profile.keys':
    'A key with the scope write changes the profile of its user and follows; one that only reads does not.',
  'users.servers': 'servers_count counts the public servers of the user, in one statement for all users of a page.',
  'users.follow':
    'Only users whose profile is public can be followed, not oneself; following and unfollowing twice is once.',
  'users.follow.counts': 'The counts equal the follows, also with concurrent changes and after a deletion of a user.',
  'users.follow.events':
    'user.followed and user.unfollowed carry follower_id and followed_id and go to the active profile of the followed user, exactly when something changed.',
  'users.follow.notice': 'The followed user is notified, at most once in 24 hours for each follower.',
  'users.lists': 'followers and following list the users that the caller may see, the newest follow first, by cursor.',
  'users.rates': 'Asking for names and profiles spends the class general: per key, or per address without one.',
  'users.statements': 'A list of 100 users costs as many statements as a list of one, lists within lists too.',

  // docs/specification/agents.md; docs/hazards.md#agents-and-orchestrator
  'agents.create':
    'POST /api/agents answers {agent, deployment}: the agent in state NEW, and {success, message, deploymentName}.',
  'agents.defaults':
    'Resources that are left out are 100m, 256Mi, 1000m and 1Gi; the default image is an unprivileged web server.',
  'agents.name':
    'A name is a DNS label of 1 to 63 characters without a reserved beginning; anything else is 400 with the documented text.',
  'agents.name.unique':
    'A name is unique among the live agents of a profile, also for two requests at once: 409. The name of an agent that has ended is free.',
  'agents.policy': 'Images and resources outside the policy of the platform are 400 naming the field.',
  'agents.create.unreachable':
    'With the orchestrator away an agent is created in state NEW with success false, and deployed once it is back.',
  'agents.create.once': 'POST /api/agents runs once for an Idempotency-Key.',
  'agents.off': 'With the orchestrator off create answers success false, and agents in every state can be ended.',
  'agents.status':
    'orchestratorStatus is the stored status of the deployment; null while not deployed, unreachable, or when no process reconciles.',
  'agents.transitions':
    'Each transition of the table is one lifecycle event and one webhook event with agent_uuid, agent_name, from_state and to_state; every other is refused and changes nothing.',
  'agents.activation': 'First heartbeats that arrive at once are one ACTIVATED event.',
  'agents.unhealthy':
    'An agent without a heartbeat for exactly the interval of its latest mode has AGENT_UNHEALTHY with 480; the next heartbeat ends it.',
  'agents.idle':
    'An agent without activity for idle_after_seconds is suspended, at most 80 seconds later and never sooner; an activity puts it off, reports alone do not.',
  'agents.wake': 'Wake starts an agent that was suspended for idleness, and none that its owner suspended.',
  'agents.usage':
    'The use of an agent counts its requested resources exactly while its pods are desired, and a transition that fails changes nothing of it.',
  'agents.quota':
    'What the live agents of a project have together stays within AGENT_QUOTAS of its tier, also with requests at once; what exceeds it is 409 that says by how much.',
  'agents.defaults-of-installation':
    'AGENT_DEFAULTS and AGENT_PODS hold for all agents, weaken no rule of the restricted standard, and are checked as a whole at the start.',
  'agents.kill': 'KILLED is made by an administrator of the platform alone, with a key of the scope admin.',
  'agents.drain':
    'A drained agent is terminated at the end of its grace period, or sooner when it is deleted; also with the orchestrator off.',
  'agents.changes':
    'Suspend, resume, restart and redeploy reach the orchestrator and keep the state; draining and ended agents refuse them.',
  'agents.credential.scope':
    "An agent's credential permits reports of that agent, and the clipboard and notifications of its profile; nothing else.",
  'agents.credential.lease':
    "An agent's credential is suspended at the instant at which its heartbeat is late, with its sockets, and works again after the next one.",
  'agents.credential.end': "An agent's credential ends with the agent, its profile, and a disabled user: 401.",
  'agents.credential.secret': "An agent's credential stands in no response, log or row in clear.",
  'agents.live.lifecycle':
    'agentLifecycle sends each event of the profile, or of one agent, once and in order; it leads to no agent of others.',
  'agents.live.telemetry': 'agentHeartbeats and agentMetrics send what arrives of one agent of the profile.',
  'agents.statements': 'A list of 100 agents with all that belongs to them costs as many statements as a list of one.',
  'agents.list': 'GET /api/agents answers every agent of the profile, the newest first, those that have ended too.',
  'agents.details':
    'GET of one answers the last 10 heartbeats and metric reports and the complete history, the newest first.',
  'agents.not-found': 'An agent of another profile, a malformed and an unknown uuid are the same 404, byte for byte.',
  'agents.delete':
    'DELETE ends an agent and keeps its record; of an agent that has ended it changes nothing, with the same answer.',
  'agents.heartbeat.input':
    'A heartbeat has mode and uptime_seconds; resource data in it is 400, other fields are ignored.',
  'agents.metrics.input': 'Metrics out of the documented bounds are 400; custom_metrics are kept as they came.',
  'agents.export':
    'An export holds 1 to 10 000 records of each kind, 100 by default, with totals that are their numbers.',
  'agents.errors': "Every failure has the agents' shape {error}; a failure of ours is 500 with the documented text.",
  'agents.unauthorized': 'Without a good key every path of agents is 401 {error: "Unauthorized"}.',
  'agents.reconcile':
    'A deployment that is accepted makes the agent PROVISIONED once; an agent with nothing to do is left alone.',
  'agents.host':
    'A host belongs to one live agent; the deployment of another is refused, and made once the host is free.',
  'agents.reconcile.partial': 'A deployment that fails in part is finished later, or removed with its agent.',
  'agents.reconcile.errors':
    'A failed deployment is one ERROR event for each reason; a success clears the reason; failures of our own are masked.',
  'agents.reconcile.back-off': 'Attempts that fail are repeated after 1, 2, 4 … 300 seconds and up to a quarter more.',
  'agents.reconcile.removal':
    'A removal is repeated until nothing is left, and reported only then; a deployment under way neither delays nor survives it.',
  'agents.reconcile.crash': 'A process that dies between any two steps is followed by one that finishes.',
  'agents.logs.followed':
    'A profile follows at most 20 logs at once in a process; each is a connection to the orchestrator.',
  'agents.reconcile.clock': 'When agents are due is the time of the database; the clocks of processes delay nothing.',
  'agents.reconcile.isolation': 'An agent, or a search of the orchestrator, that hangs blocks no other agent.',
  'agents.sweep':
    'Deployments without an agent are removed, those of deleted profiles too, and deployments that have disappeared are made again.',
  'agents.rollout':
    "A rollout that fails is one ERROR event for each reason, with the pod's events and log lines; a success clears it.",
  'agents.orchestrator.time': 'Each call to the API server ends within 10 seconds, whatever the server does.',
  'agents.lead': 'One process leads; another does at once when it stops, and ten seconds after its last renewal.',

  // docs/specification/webhooks.md#signature; docs/hazards.md: D12, D13
  'webhooks.signature.header':
    'X-Service-Signature is the lowercase hex HMAC-SHA256 of the bytes sent, as Node, Python and OpenSSL compute it.',
  'webhooks.signature.body':
    'The member `signature` is sha256= and the HMAC of the JSON without it, also of the JSON parsed and written again.',
  'webhooks.signature.verify':
    'verifyWebhook is true for genuine deliveries only, under any of the secrets, and never throws.',
  'webhooks.secret.form': 'A secret has 16 to 256 printable ASCII characters; one that is made has 256 random bits.',

  // docs/specification/webhooks.md; docs/hazards.md#webhooks
  'webhooks.create':
    'POST /api/webhooks answers {id, url, events, active, created_at}, and the secret only when it was made there.',
  'webhooks.list': 'GET /api/webhooks answers {webhooks, total}, GET of one answers it.',
  'webhooks.update': 'PATCH takes url, events, active and secret, each alone; omitted fields stay.',
  'webhooks.delete': 'DELETE answers {success, message}; nothing more is sent, and its deliveries go with it.',
  'webhooks.rotate': 'A rotated secret signs beside the new one for 24 hours.',
  'webhooks.test': 'POST test sends test.ping or a named event at once, and answers the delivery.',
  'webhooks.deliveries':
    'GET deliveries answers {deliveries, total, limit, offset}: each attempt with its status, answer, error and next retry.',
  'webhooks.replay':
    'One delivery, or all that permanently failed since a time, can be sent again with the same event id.',
  'webhooks.events':
    'The ten documented events and the announced ones of agents can be subscribed to; their JSON Schema is published.',
  'webhooks.fields':
    'Unknown, missing or malformed events, urls and secrets are 400 naming the field; unknown fields are ignored.',
  'webhooks.url': 'A url must be https outside development, public, and without user info, in whatever spelling.',
  'webhooks.send-guard':
    'A forbidden address is validated at every send: no request reaches it, and no delivery reveals what it is.',
  'webhooks.postponed':
    'What could not be sent because others have all connections is none of the six attempts, and is sent later.',
  'webhooks.timeout': 'A receiver has 5 seconds for its whole answer, whose first 64 KB are read.',
  'webhooks.secret.shown-once':
    'A secret is shown once where it was made, and stands in no other answer, log, or table.',
  'webhooks.tenants': "A webhook receives only its own profile's events, and no id or stream leads to another's.",
  'webhooks.signature.standard':
    'Each delivery carries webhook-id, webhook-timestamp and webhook-signature of Standard Webhooks; during a rotation two signatures.',
  'webhooks.sensitive':
    'Test calls, rotations and changes of a secret spend the class sensitive over both APIs: ten an hour. Other changes spend general.',
  'webhooks.graph': 'The graph has the same operations, connections with cursors, and errors with the codes of REST.',
  // docs/specification/mcp-servers.md; docs/hazards.md: H01, H02, F11
  'servers.create':
    'POST /api/mcp-servers answers the server details plus slug, url, notes and created_at; stdio needs command, http and sse need url.',
  'servers.fields':
    'The fields of a server are validated, and a mistake is 400 naming the field; unknown fields are ignored.',
  'servers.details':
    'GET /api/servers/{uuid} answers uuid, name, transport, command, args, env, tools, resources and prompts; every caller can read a public server.',
  'servers.private':
    "Another tenant's private server is answered exactly like one that does not exist, to anonymous callers and every key, on every path.",
  'servers.secrets':
    'Values of env and headers are sealed at rest and masked everywhere but in GET /api/mcp-servers for a key that may write; each such read is written down.',
  'servers.never-run': 'A command and its args are stored and shown as data; the platform runs none.',
  'servers.stats':
    'Statistics are installations, rating, ratings_count, trending_rank, last_activity and daily_installs: 30 days, the oldest first.',
  'servers.install':
    'Installing and removing count once each, also concurrently; webhooks receive server.installed and server.uninstalled.',
  'servers.rate': 'A user has one rating of a server, 1 to 5; a later one replaces it.',
  'servers.activity': 'Calls are counted for the owner and for users who installed the server.',
  'servers.activity.own-tools':
    'POST /api/notifications/mcp-activity is 200 without a serverUuid, with an unknown one and with an invalid UUID: nothing is counted, and no point of general is spent.',
  'servers.activity.installs': 'The actions install and uninstall of mcp-activity install and remove the server.',
  'servers.rate.own': 'A user cannot rate a server of its own: 403.',
  'everywhere.null':
    'null in an optional field of a body is as if the field were left out, unless null clears the stored value.',
  'errors.all-fields': 'A wrong body is refused with all its wrong fields at once, whatever they are wrong by.',
  'everywhere.url-tokens':
    'The query of a url of a server or webhook is masked, except for callers of its own profile who may write; events do not contain it.',
  'errors.proxy': 'Routes that only existing proxies use answer errors as {error: "<text>", code}.',
  'servers.update':
    'A change keeps omitted fields and masked values, and sends webhooks server.updated with the changes, masked.',
  'servers.graph':
    'The graph lists, creates, updates, deletes, shows, installs, rates and counts; errors have the codes of REST.',
  'servers.discovery':
    'For http and sse the platform asks the server itself, by the MCP SDK, as a job with progress: on creation, when asked to, and when the way to it changes.',
  'servers.discovery.turns': "Owners with fewer queued servers come first: no owner waits for another one's thousand.",
  'servers.discovery.bounds':
    'A discovery ends after 5 seconds and 5 MB in all, goes through the egress guard, and stores capabilities as text within bounds; errors are in words of the platform.',
  'servers.changes':
    'Changes of tools between two discoveries are recorded with both definitions, shown, and published to callers who may see the server.',
  'servers.report': 'What a stdio server offers is reported by a client of its owner.',
  'servers.proxy':
    'GET /api/tools?prefix_tools, /api/resources, /api/resource-templates, /api/prompts and /api/resolve/* answer existing proxies from the own servers; POST /api/discover/* asks them.',
  'servers.statements':
    'A list of 100 servers with what they offer and their figures takes as many statements as one of one.',
  // docs/specification/analytics.md; docs/hazards.md: H14
  'trending.list':
    'GET /api/trending/servers answers uuid, name, slug, category, installation_count, rating, trending_score and rank_change of public servers, the best score first, with total and timeframe.',
  'trending.query':
    'limit is 1 to 100 and 20 if left out, timeframe day, week or month, and week if left out; anything else is 400 naming the field. A category that no server is of has an empty list.',
  'trending.score':
    'trending_score is round(40*(installs - uninstalls) + 40*(calls) + 20*max(0.5, 1 - idleHours/windowHours)) of 24, 168 or 720 hours, only above 0, and only where something happened.',
  'trending.change': 'rank_change compares with the window before: "+5", "-2", "0", "new".',
  'trending.inflation':
    "A user's installing and removing of a server count once in 30 days, and its calls once in 24 hours, however many profiles, keys or calls at once it has; installations are users.",
  'trending.owner': 'What the owner of a server does with it, in whichever profile, is in no trend.',
  'trending.hidden':
    'A server that is private, deleted or whose user is gone is in no list and no total, at once, and leaves no tally.',
  'trending.roll-up':
    'The incremental result equals a full recomputation; nothing is lost or counted twice, also with killed and concurrent processes.',
  'trending.cost': 'A request and the roll-up of new activity cost the same however many servers are stored.',
  'trending.rank':
    'trending_rank of the statistics is the rank in the week, and after all others for a server that is not ranked.',
  'trending.graph':
    'The graph lists trending servers by cursor with score, rank and change, in as many statements for a hundred as for one.',
  // docs/specification/registry.md; docs/hazards.md: H01, H04, F11
  'registry.health':
    'GET /api/registry/health answers status, version, last_indexed and total_servers to a key or a session, at a cost that does not grow with the registry.',
  'registry.link':
    'A GitHub account is linked by the authorization code flow with PKCE; its state is used once, within ten minutes, by the user and in the session that began it.',
  'registry.link.one-user': 'A GitHub account is linked to one user, by its number, however it is called.',
  'registry.link.secrets':
    'What GitHub gives is encrypted at rest, for the one user, and stands in no answer and no log.',
  'registry.submit':
    'POST /api/registry/submit answers uuid, slug, repository, package_type and status; it is 403 without a linked account that owns the repository, and 400 without a manifest of the type.',
  'registry.submit.fields': 'A field that is missing or malformed is 400 naming it.',
  'registry.submit.host': 'Which host is asked is configuration: no text of a submission leads a request elsewhere.',
  'registry.submit.manifest': 'A manifest is read within bounds, and nothing in it is run.',
  'registry.submit.again': 'The same repository of the same owner is one submission, whatever happens at once.',
  'registry.submit.provider':
    'While GitHub is away, slow or wrong the answer is 503 within its deadline, and nothing is stored.',
  'registry.submit.sensitive': 'Submitting spends the class sensitive over both APIs.',
  'registry.review':
    'An administrator accepts or rejects with a reason, once; the submitter is notified; to everybody else a submission is one that does not exist.',
  'registry.review.proof':
    'Ownership is verified again by the number of the repository: a repository that was transferred, renamed or rejected since is not published.',
  'registry.private': 'Before it is accepted, only its submitter and administrators see a submission.',
  'registry.lifecycle':
    'The owner deprecates, reactivates, and withdraws, with a message; a withdrawn server is hidden at once.',
  'registry.feed':
    'updated_since returns every committed change, tombstones included, and a cursor misses no concurrent change.',
  'registry.official':
    'GET /v0.1/servers, /versions, /versions/latest and /versions/{version} answer as the official registry does, with any origin, errors included.',
  'registry.valid': 'Every document and every answer is valid against the official schema.',
  'registry.versions': 'The latest version is the newest semantic one that is not deleted.',
  'registry.import':
    'npm run registry:import imports arrays, pages and JSON lines in bounded memory, repeats without a change, and reports line and reason of each rejected element.',
  'registry.import.owned': 'An import changes nothing of a name whose owner has proved it.',
  'registry.import.account': 'Imported servers belong to an account that no user can sign in as, see or notify.',
  'registry.statements': 'A list of 100 entries takes as many statements as one of one.',
  // docs/specification/search.md; docs/hazards.md: H05, H14
  'search.answer':
    'GET /api/search answers uuid, slug, title, description, repository_url, package_type, installation_count, rating and transports, with total, limit and offset, to everybody alike.',
  'search.words':
    'Words are found in names, titles, tags and descriptions in any case, inflected, as the beginning of the last one, and in parts of names.',
  'search.typos': 'A word that no server has is read as the known words that are nearest to it.',
  'search.list': 'An empty q lists every public server; a missing one is 400.',
  'search.sorts': 'recent is newest first, popular by installations then rating, relevance by the words.',
  'search.filters': 'source, package and repository narrow the results, with and without words.',
  'search.inputs': 'Whatever q, limit and offset hold is answered 200 or 400 naming the field, never 500.',
  'search.ranking':
    'Over a labelled set of at least 60 queries and 1 000 servers the order is far better than that of ILIKE, by nDCG@10.',
  'search.statistics':
    'GET /api/service/search answers query, total_searches, unique_users, top_results of public servers with clicks, impressions and ctr, and related_queries.',
  'search.statistics.threshold':
    'A search that fewer than three users made in the period is answered like one that no user made.',
  'search.statistics.distinct':
    'One user counts once, whatever keys, profiles and requests; without credentials one network does.',
  'search.statistics.privacy':
    'No user is stored in clear, nor the text of a search before three users have made it; all is deleted after 31 days.',
  'search.statistics.timeframe': 'Statistics are of today, of seven days or of thirty.',
  'search.statistics.related': 'Related searches are those that found the same servers, if enough users made them.',
  'search.statistics.counting':
    'Counting neither slows nor fails a search, adds up over several processes, and is written down when a process stops.',
  'search.opened':
    'A result counts as opened when it is looked up within half an hour, or reported by whom it was shown to; once a day.',
  'search.graph': 'The graph finds the same as servers, a connection with a lazy totalCount, and as serverPage.',
  'search.statements': 'A page of results takes as many statements for a hundred as for one.',
  'search.hidden': 'Only public servers are found, from the commit that shows them to the one that hides them.',
  'search.counters': 'Counting an installation touches no index of words, and shows in the popular order at once.',
  'search.bounds': 'What a search reads is bounded, however many servers have its words.',
  'search.rates': 'Searching has its own budget: 100 a minute with a key or a session, 30 from an address without.',
  'webhooks.delivered': 'webhookDelivered reports every attempt of the caller’s own webhooks, and none of others.',

  // docs/specification/collections.md
  'collections.answer':
    'A collection is answered with uuid, name, description, profile_uuid, server_uuids, servers, is_public, created_at and updated_at; absent values are explicit null.',
  'collections.list':
    "GET /api/collections/{profileUuid} answers {collections, total}, the newest first, by limit and offset: all of one's own, the public ones of another profile.",
  'collections.list.foreign':
    'The list of a profile that shows no collection is the same 404 as that of one that does not exist.',
  'collections.fields':
    'A name has 1 to 200 characters, a description at most 2 000, a list at most 500 servers; anything else is 400 naming the field.',
  'collections.create':
    'POST /api/collections makes a collection in the profile of the key; any other profileUuid is 404; a profile has at most 200.',
  'collections.servers':
    'A list names only servers that its owner may see: any other is 400 naming its place, alike whether or not there is such a server; the order is kept, and one that is named twice counts once.',
  'collections.private':
    'Of a collection everybody sees only those servers that are public or their own, in lists and in counts, at once when that changes (H10).',
  'collections.public':
    'Every caller can read a public collection; a private one of others is the same 404 as an unknown one.',
  'collections.update': 'PATCH changes the given fields; null empties the description and the list; the rest stays.',
  'collections.delete':
    'DELETE answers {success, message} and removes the collection and its associations, not the servers.',
  'collections.events':
    'Becoming public writes collection.shared, any other change collection.updated with the changed fields, in the transaction of the change; a request without a change writes nothing.',
  'collections.concurrency': 'Of two changes at once the second waits: the list is one of theirs, never a mixture.',
  'collections.import':
    'An import installs in the profile of the caller all servers of a collection that it may see, in as many statements as for one, and returns how many were installed before; each emits server.installed, and an owner is notified once.',
  'collections.live': 'collectionChanged reports every change of the caller’s own collections, and none of others.',
  'collections.graph': 'The graph has the same operations, and the servers of a collection as a connection.',
  'collections.statements':
    'A list of a hundred collections with their servers takes as many statements as one of one, and has at most 10 000 servers (F11).',
} as const;

export type RequirementId = keyof typeof requirements;

declare module 'vitest' {
  interface TaskMeta {
    /** What the test proves. */
    requirements?: readonly RequirementId[];
  }
}

/**
 * The options of a test, or of a group of tests, that proves requirements: `it('keeps the order', verifies('clipboard.list'), …)`.
 * Reporters find them in the metadata of the test.
 */
export const verifies = (...requirements: [RequirementId, ...RequirementId[]]) => ({ meta: { requirements } });
