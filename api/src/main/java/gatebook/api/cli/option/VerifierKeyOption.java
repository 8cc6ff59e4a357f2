package gatebook.api.cli.option;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.checkpoint.VerifierKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --key}: the verifier key that is trusted. */
public final class VerifierKeyOption {

  @Option(
      names = "--key",
      paramLabel = "VKEY",
      description =
          "The verifier key to trust, as its text or in a file (else that of the data directory).")
  private @Nullable String given;

  public boolean isGiven() {
    return given != null;
  }

  /** The key with this text, or in the file of this name; empty when the option is not given. */
  public Optional<LoadedKey<VerifierKey>> key() {
    return Optional.ofNullable(given).map(VerifierKeyOption::keyOf);
  }

  private static LoadedKey<VerifierKey> keyOf(String given) {
    if (VerifierKey.parse(given.strip()) instanceof LoadedKey.Key<VerifierKey> parsed) {
      return parsed;
    }
    try {
      return VerifierKey.parse(Files.readString(Path.of(given), UTF_8).strip());
    } catch (IOException | InvalidPathException _) {
      return new LoadedKey.Refused<>("cannot read the verifier key " + given);
    }
  }
}
