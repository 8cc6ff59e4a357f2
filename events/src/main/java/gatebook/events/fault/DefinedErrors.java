package gatebook.events.fault;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.call.Dialect;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The errors that the gateway itself defines, for each dialect. They are listed in a file beside
 * this class, so that they are known before the first one occurs.
 */
public final class DefinedErrors {

  /**
   * Stands for all undefined codes: a source may send any code, and each would be a group of its
   * own.
   */
  public static final String OTHER_CODE = "other";

  private static final String FILE = "defined-errors.csv";

  /**
   * One error of a dialect.
   *
   * @param gate the gate that denied; empty when none did
   */
  public record DefinedError(Dialect dialect, int code, String gate, Category category) {}

  private record Code(Dialect dialect, int code) {}

  private static final List<DefinedError> ALL = read();
  private static final Set<Code> CODES =
      ALL.stream().map(it -> new Code(it.dialect, it.code)).collect(Collectors.toSet());

  private DefinedErrors() {}

  public static List<DefinedError> all() {
    return ALL;
  }

  /** Whether the gateway defines the code in the dialect; a source may send any other. */
  public static boolean hasCode(Dialect dialect, int code) {
    return CODES.contains(new Code(dialect, code));
  }

  /** The code by which an error is grouped: a number, or {@link #OTHER_CODE}. */
  public static String groupCode(Dialect dialect, int code) {
    return hasCode(dialect, code) ? Integer.toString(code) : OTHER_CODE;
  }

  private static List<DefinedError> read() {
    try (InputStream file = DefinedErrors.class.getResourceAsStream(FILE)) {
      return new String(Objects.requireNonNull(file).readAllBytes(), UTF_8)
          .lines()
          .skip(1) // the names of the columns
          .map(line -> line.split(",", -1))
          .map(row ->
              new DefinedError(dialect(row[0]), Integer.parseInt(row[1]), row[2], category(row[3])))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Dialect dialect(String word) {
    return Stream.of(Dialect.values()).filter(it -> it.word().equals(word)).findAny().orElseThrow();
  }

  private static Category category(String word) {
    return Stream.of(Category.values())
        .filter(it -> it.word().equals(word))
        .findAny()
        .orElseThrow();
  }
}
