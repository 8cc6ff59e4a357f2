package gatebook.command.policy.check;

import com.cedarpolicy.model.DetailedError;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Formats an error message of the engine as one line. */
public final class EngineMessage {

  private EngineMessage() {}

  public static String of(DetailedError error) {
    return of(error.message, error);
  }

  /** Uses {@code message} in place of the error's own, with the error's labels and help. */
  public static String of(String message, DetailedError error) {
    Stream<String> labels = error.sourceLocations.stream().flatMap(l -> l.label.stream());
    return Stream.of(Stream.of(message), labels, error.help.stream())
        .flatMap(words -> words)
        .collect(Collectors.joining(": "));
  }

  /** The error's position in UTF-8 bytes from the start of the parsed text. */
  public static int startByte(DetailedError error) {
    return error.sourceLocations.stream().mapToInt(label -> label.start).min().orElse(0);
  }
}
