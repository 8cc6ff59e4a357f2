package gatebook.api.gateway.report;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.call.ObservedVerdict;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ObservedReporterTest {

  @ParameterizedTest
  @ValueSource(strings = {"broken", "exception", "policy-error"})
  void everyReasonOfAFailureIsCounted(String reason) {
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    ObservedReporter reporter = new ObservedReporter(meters);
    assertThat(failures(meters, reason)).as("from the start").isZero();

    reporter.add(ObservedVerdict.failed("sha256:1", reason, List.of("IllegalStateException")));

    assertThat(failures(meters, reason)).isEqualTo(1);
    assertThat(meters.get("gatebook.observed.verdicts").tag("verdict", "failed").counter().count())
        .isEqualTo(1);
  }

  private static double failures(SimpleMeterRegistry meters, String reason) {
    return meters.get("gatebook.observed.failures").tag("reason", reason).counter().count();
  }
}
