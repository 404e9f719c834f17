const LEVELS = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'ERROR', 60: 'FATAL' };
const MAX_VALUE_CHARACTERS = 200;
/** Fields that the line shows in another form, or that are the same in every line. */
const HIDDEN = new Set(['time', 'level', 'msg', 'req', 'res', 'responseTime', 'err', 'pid', 'hostname', 'name']);

/**
 * Formats a JSON log line of the service for a terminal, such as `12:00:01.123 api     info  request completed GET
 * /v1/sessions 200 12 ms`. A line that is not JSON is printed as it is.
 * @param {string} role
 * @param {string} line
 */
export function formatLogLine(role, line) {
  const entry = parse(line);
  if (entry === null) return `${' '.repeat(12)} ${role.padEnd(8)} ${line}`;
  const { time, level, msg = '', req, res, responseTime, err } = entry;
  const clock = new Date(time).toISOString().slice(11, 23);
  const request = req && [req.method, req.path, res?.status, responseTime === undefined ? '' : `${responseTime} ms`];
  const details = Object.entries(entry).filter(([key]) => !HIDDEN.has(key));
  const values = details.map(([key, value]) => `${key}=${formatValue(value)}`);
  const text = [msg, ...(request ?? []), ...values].filter((part) => part !== undefined && part !== '').join(' ');
  const stack = err?.stack ?? err?.message;
  const first = `${clock} ${role.padEnd(8)} ${(LEVELS[level] ?? String(level)).padEnd(5)} ${text}`;
  return stack === undefined ? first : `${first}\n${stack.replaceAll(/^/gm, '    ')}`;
}

function parse(line) {
  if (!line.startsWith('{')) return null;
  try {
    const entry = JSON.parse(line);
    return typeof entry.time === 'number' ? entry : null;
  } catch {
    return null;
  }
}

const formatValue = (value) =>
  (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MAX_VALUE_CHARACTERS);
