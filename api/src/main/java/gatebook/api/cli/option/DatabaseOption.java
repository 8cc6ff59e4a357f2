package gatebook.api.cli.option;

import gatebook.api.data.JournalPlace;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The option {@code --db}: the database of the journal. */
public final class DatabaseOption {

  @Option(
      names = "--db",
      paramLabel = "JDBC-URL",
      description = "Database of the journal (else one in the data directory).")
  private @Nullable String url;

  public Optional<String> url() {
    return Optional.ofNullable(url);
  }

  /**
   * The place of the journal of a data directory.
   *
   * @throws ParameterException if the option names no database that can have it
   */
  public JournalPlace place(CommandSpec spec, Path directory) {
    JournalPlace place = new JournalPlace(directory, url());
    place
        .refusal()
        .ifPresent(sentence -> {
          throw new ParameterException(spec.commandLine(), sentence);
        });
    return place;
  }
}
