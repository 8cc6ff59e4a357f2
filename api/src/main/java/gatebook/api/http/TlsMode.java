package gatebook.api.http;

/** Whether a port speaks TLS. */
public enum TlsMode {
  OFF,
  ON,

  /** And clients show a certificate, but for probes. */
  MUTUAL
}
