package gatebook.api.cli.option;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

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
}
