/**
 * Ports without HTTP whose services would interpret an HTTP request as commands, or need no password from inside. Below
 * 1024 only 80 and 443 are allowed, so only higher ones are listed here.
 */
const forbiddenPorts: ReadonlySet<number> = new Set([
  // The "bad ports" of browsers: protocols that can be spoken to through HTTP. https://fetch.spec.whatwg.org/#port-blocking
  1719,
  1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
  // Databases, and caches that run each line they understand: SQL Server, Oracle, MySQL, PostgreSQL and its pooler, CouchDB,
  // Redis, Neo4j, Cassandra, Memcached, CockroachDB, Redis Sentinel, MongoDB, RethinkDB, Db2.
  1433,
  1521, 3306, 5432, 5433, 5984, 6379, 6380, 6432, 7474, 7687, 9042, 9160, 11211, 26257, 26379, 27017, 27018, 27019,
  28015, 50000,
  // Search and time series, open by default: Elasticsearch, Solr, InfluxDB.
  9200, 9300, 8983, 8086,
  // Who reaches these owns the machine: Docker, Swarm, etcd, the API of Kubernetes, kubelet and its neighbours, Nomad, Consul, Vault.
  2375,
  2376, 2377, 2379, 2380, 6443, 10248, 10249, 10250, 10255, 10256, 10257, 10259, 4646, 4647, 8200, 8300, 8301, 8500,
  8600,
  // Queues and coordination: AMQP, RabbitMQ, Kafka, ActiveMQ, NATS, ZooKeeper, Erlang's epmd.
  5671, 5672, 15672, 9092, 61616, 4222, 2181, 4369,
  // Remote control and code by design: RMI, JMX, AJP, Node's inspector, RDP, VNC, WinRM.
  1099, 7199, 8009, 9229, 3389, 5900, 5901, 5985, 5986,
  // A printer prints its input; a node exporter reveals its whole machine.
  9100,
]);

/** Whether a port is allowed: 80, 443, and from 1024 on all but the forbidden ones. */
export const isOpenPort = (port: number): boolean =>
  port === 80 || port === 443 || (port >= 1024 && port <= 65_535 && !forbiddenPorts.has(port));
