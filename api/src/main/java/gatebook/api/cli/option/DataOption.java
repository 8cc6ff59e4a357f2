package gatebook.api.cli.option;

import gatebook.api.data.DataDirectory;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.ToIntFunction;
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

  /**
   * Uses the selected data directory while no other process does.
   *
   * @param failed gets a sentence that says why it cannot be used
   */
  public int own(ToIntFunction<String> failed, ToIntFunction<DataDirectory> use) {
    return switch (DataDirectory.open(directory())) {
      case DataDirectory.Opening.Refused(var sentence) -> failed.applyAsInt(sentence);
      case DataDirectory.Opening.Held held -> failed.applyAsInt(held.sentence());
      case DataDirectory.Opening.Opened(var directory) -> {
        try (directory) {
          yield use.applyAsInt(directory);
        }
      }
    };
  }

  /** The selected data directory, whether or not it exists. */
  public Path directory() {
    return DataDirectory.choose(data, environment);
  }
}
