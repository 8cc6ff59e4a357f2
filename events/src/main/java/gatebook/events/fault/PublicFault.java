package gatebook.events.fault;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The public part of a fault: no dialect discloses more. Rules, policies, inspectors' reasons and
 * the gateway's own failures are not in here. Nothing is cut or scrubbed yet.
 *
 * @param sentence what happened
 * @param named what a gate denied
 * @param details where exactly, or what to do about it
 * @param reason one word of a closed list
 * @param problems the values that do not fit, the first found first
 * @param retryAfterSeconds after how long a retry may succeed
 */
public record PublicFault(
    String sentence,
    @Nullable NamedTarget named,
    @Nullable String details,
    @Nullable String reason,
    List<Problem> problems,
    @Nullable Long retryAfterSeconds) {

  private static final String PLACE = "%s";
  private static final long MILLIS = 1_000;

  /**
   * A name that the caller sent.
   *
   * @param kind a tool, a resource or a prompt
   */
  public record NamedTarget(String kind, String name) {

    @Override
    public String toString() {
      return kind + " '" + name + "'";
    }
  }

  static PublicFault of(String sentence) {
    return new PublicFault(sentence, null, null, null, List.of(), null);
  }

  /** A message that is no valid request. */
  static PublicFault invalidRequest(String reason) {
    return of("Invalid Request").because(reason);
  }

  /** What a gate denied: the sentence has a place for it, which may be its beginning. */
  static PublicFault of(String sentence, String kind, String name) {
    NamedTarget denied = new NamedTarget(kind, name);
    return new PublicFault(
        sentence.startsWith(PLACE)
            ? Character.toUpperCase(kind.charAt(0))
                + denied.toString().substring(1)
                + sentence.substring(PLACE.length())
            : sentence.replace(PLACE, denied.toString()),
        denied,
        null,
        null,
        List.of(),
        null);
  }

  PublicFault because(String word) {
    return new PublicFault(sentence, named, details, word, problems, retryAfterSeconds);
  }

  public PublicFault details(@Nullable String text) {
    return new PublicFault(sentence, named, text, reason, problems, retryAfterSeconds);
  }

  PublicFault retry(@Nullable Long afterSeconds) {
    return new PublicFault(sentence, named, details, reason, problems, afterSeconds);
  }

  PublicFault problems(List<Problem> found) {
    return new PublicFault(sentence, named, details, reason, found, retryAfterSeconds);
  }

  /** Problems, with the reason of the first as details; its expected value where it has none. */
  PublicFault explaining(List<Problem> found) {
    return found.isEmpty() ? this : details(found.getFirst().explanation()).problems(found);
  }

  /** One value that is not among those accepted. */
  PublicFault accepting(String param, String expected, List<String> accepted) {
    return problems(List.of(new Problem(param, null, expected, null, accepted)));
  }

  /** Joins the parts that are present with commas. */
  public static String parts(@Nullable String... parts) {
    return Stream.of(parts).filter(Objects::nonNull).collect(joining(", "));
  }

  static String seconds(long millis) {
    return millis % MILLIS == 0 ? millis / MILLIS + "s" : millis + "ms";
  }

  static @Nullable String retryAfter(@Nullable Long seconds) {
    return seconds == null ? null : "retry after %ds".formatted(seconds);
  }
}
