export { registerOauthMetrics } from './metrics.ts';
