package gatebook.api.http.tls;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/** The meter that tells when a certificate of this node expires. */
public final class CertificateMeter {

  private CertificateMeter() {}

  /**
   * Registers the meter of one certificate.
   *
   * @param what the certificate is for
   */
  public static Gauge register(
      MeterRegistry registry, String what, Supplier<Optional<Instant>> expires) {
    return Gauge.builder(
            "gatebook.tls.certificate.expires.timestamp",
            expires,
            it -> it.get().map(time -> (double) time.getEpochSecond()).orElse(Double.NaN))
        .baseUnit("seconds")
        .description("When a certificate of this node expires; NaN where there is none")
        .tag("what", what)
        .strongReference(true)
        .register(registry);
  }
}
