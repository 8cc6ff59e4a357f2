package gatebook.api.http.tls;

import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs once a day that a certificate in use expires, in the last days of it. */
final class ExpiryWarning {
  private static final Logger log = LoggerFactory.getLogger(ExpiryWarning.class);
  private static final Duration WARNED = Duration.ofDays(30);

  private final String what;
  private Instant warnedAt = Instant.MIN;

  /**
   * @param what the certificate is for
   */
  ExpiryWarning(String what) {
    this.what = what;
  }

  void check(Instant expires, Instant now) {
    if (expires.minus(WARNED).isBefore(now) && warnedAt.isBefore(now.minus(Duration.ofDays(1)))) {
      warnedAt = now;
      log.atWarn()
          .addKeyValue("what", what)
          .addKeyValue("expires", expires)
          .log("the TLS certificate in use expires soon: replace its files");
    }
  }
}
