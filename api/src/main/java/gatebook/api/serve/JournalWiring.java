package gatebook.api.serve;

import gatebook.api.data.DataDirectory;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;

/** The one place where serving meets the journal. */
final class JournalWiring {

  private JournalWiring() {}

  static JournalDoor.Opening open(ServeSettings settings, DataDirectory directory) {
    return new JournalDoor.Opening.Opened(new Missing());
  }

  /** Stands where the journal belongs, so that the node says it is not ready. */
  private static final class Missing implements JournalDoor {
    @Override
    public Status status() {
      return new Status("missing", Optional.of("this build has no journal"), "none");
    }

    @Override
    public void bindTo(MeterRegistry registry) {}

    @Override
    public void close() {}
  }
}
