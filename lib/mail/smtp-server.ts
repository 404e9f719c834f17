/** How a connection is encrypted: from its first byte, after STARTTLS, or not at all. */
export const SMTP_SECURITIES = ['tls', 'starttls', 'none'] as const;
export type SmtpSecurity = (typeof SMTP_SECURITIES)[number];

/** A server that accepts messages for delivery. */
export interface SmtpServer {
  host: string;
  port: number;
  security: SmtpSecurity;
  /** Null: the server accepts messages without authentication. */
  credentials: { user: string; password: string } | null;
  /** Certificate of a private authority, PEM; null: those of the system. */
  caCertificate: string | null;
}
