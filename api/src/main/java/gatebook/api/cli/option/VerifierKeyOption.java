package gatebook.api.cli.option;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.data.JournalPlace;
import gatebook.api.data.JournalSection;
import gatebook.events.journal.checkpoint.CheckpointKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.storage.OpenRefusal;
import gatebook.events.journal.storage.RestoredMark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --key}: the verifier key that is trusted. */
public final class VerifierKeyOption {

  /** What to do when a data directory has no key. */
  public static final String NAME_ONE = "name a verifier key with --key";

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

  /**
   * The same, or else the key of a data directory; for a journal that was restored there, the key
   * that signed it, until its own is put back.
   *
   * @param environment holds the credentials of a database server
   * @param hint what to do without any, in brackets
   */
  public LoadedKey<VerifierKey> key(
      JournalPlace place, Map<String, String> environment, String hint) {
    return key().orElseGet(() -> ownKey(place, environment, hint));
  }

  private static LoadedKey<VerifierKey> ownKey(
      JournalPlace place, Map<String, String> environment, String hint) {
    return switch (CheckpointKey.loadExisting(place.keyFile())) {
      case LoadedKey.Refused<CheckpointKey>(var why) ->
          restoredKey(place, environment)
              .orElseGet(() -> new LoadedKey.Refused<>("%s (%s)".formatted(why, hint)));
      case LoadedKey.Key<CheckpointKey>(var key) -> new LoadedKey.Key<>(key.verifier());
    };
  }

  private static Optional<LoadedKey<VerifierKey>> restoredKey(
      JournalPlace place, Map<String, String> environment) {
    if (Files.exists(place.keyFile())) {
      return Optional.empty();
    }
    try {
      return RestoredMark.of(place.settings(JournalSection.DEFAULT, environment))
          .map(mark -> VerifierKey.parse(mark.key()));
    } catch (OpenRefusal e) {
      return Optional.of(new LoadedKey.Refused<>(e.sentence()));
    }
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
