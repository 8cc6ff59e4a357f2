package gatebook.api.cli;

import gatebook.api.data.DataDirectory;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --data}: the data directory. */
final class DataOption {

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Directory of the journal and the keys (else $GATEBOOK_DATA, ./gatebook-data).")
  private @Nullable Path data;

  private final Map<String, String> environment;

  DataOption(Map<String, String> environment) {
    this.environment = environment;
  }

  /** The selected data directory, whether or not it exists. */
  Path directory() {
    return DataDirectory.choose(data, environment);
  }
}
