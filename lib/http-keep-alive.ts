/**
 * How long a connection to one of the servers may be idle. Longer than reverse proxies keep theirs (Caddy two minutes,
 * others one) and than Prometheus waits between scrapes: what a client sends on a connection that is closed at that
 * moment is lost, and a proxy may not repeat a POST.
 */
export const KEEP_ALIVE_MS = 150_000;
