package gatebook.api.console;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The cache of a client and the encodings it accepts, as its headers declare them. */
final class ClientCache {
  private static final String WEAK = "W/";

  private ClientCache() {}

  /**
   * Whether the client has the representation with this tag.
   *
   * @param ifNoneMatch the values of the header
   */
  static boolean has(String tag, List<String> ifNoneMatch) {
    return items(ifNoneMatch)
        .map(item -> item.startsWith(WEAK) ? item.substring(WEAK.length()) : item)
        .anyMatch(item -> item.equals(tag) || item.equals("*"));
  }

  /** Whether one of the values of the header {@code Accept-Encoding} names gzip, and not with 0. */
  static boolean acceptsGzip(List<String> acceptEncoding) {
    return items(acceptEncoding)
        .map(item -> item.toLowerCase(Locale.ROOT).replace(" ", ""))
        .anyMatch(item -> item.equals("gzip") || isWanted(item));
  }

  private static boolean isWanted(String item) {
    return item.startsWith("gzip;q=") && !item.matches("gzip;q=0(\\.0*)?");
  }

  private static Stream<String> items(List<String> values) {
    return values.stream().flatMap(value -> Stream.of(value.split(",", -1))).map(String::strip);
  }
}
