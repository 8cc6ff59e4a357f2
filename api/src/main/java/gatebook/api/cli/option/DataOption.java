package gatebook.api.cli.option;

import gatebook.api.data.DataDirectory;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --data}: the data directory. */
public final class DataOption {

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Directory of the journal and the keys (else $GATEBOOK_DATA, ./gatebook-data).")
  private @Nullable Path data;

  private final Map<String, String> environment;

  public DataOption(Map<String, String> environment) {
    this.environment = environment;
  }

  /** The selected data directory, whether or not it exists. */
  public Path directory() {
    return DataDirectory.choose(data, environment);
  }
}
