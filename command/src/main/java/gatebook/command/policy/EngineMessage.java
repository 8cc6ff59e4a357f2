package gatebook.command.policy;

import com.cedarpolicy.model.DetailedError;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the engine says of a mistake, in one line. */
final class EngineMessage {

  private EngineMessage() {}

  static String of(DetailedError error) {
    return of(error.message, error);
  }

  /** With these words instead of the error's own, and what it adds to them. */
  static String of(String message, DetailedError error) {
    Stream<String> labels = error.sourceLocations.stream().flatMap(l -> l.label.stream());
    return Stream.of(Stream.of(message), labels, error.help.stream())
        .flatMap(words -> words)
        .collect(Collectors.joining(": "));
  }

  /** Where it is, in UTF-8 bytes from the beginning of what was read. */
  static int startByte(DetailedError error) {
    return error.sourceLocations.stream().mapToInt(label -> label.start).min().orElse(0);
  }
}
