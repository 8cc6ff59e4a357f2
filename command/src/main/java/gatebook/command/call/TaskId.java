package gatebook.command.call;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A task id, by which a caller gets an outcome later: the call's own id, so that the call is found
 * directly, and a secret, so that the id cannot be guessed.
 *
 * @param text as callers see it
 */
public record TaskId(String text, UUID callId) {

  private static final int SECRET_BYTES = 16;
  private static final Pattern FORM =
      Pattern.compile("gb_([0-9a-f]{32})([0-9a-f]{%d})".formatted(2 * SECRET_BYTES));
  private static final SecureRandom RANDOM = new SecureRandom();

  /** A new id; ids sort as their calls do. */
  public static TaskId generate(UUID callId) {
    byte[] secret = new byte[SECRET_BYTES];
    RANDOM.nextBytes(secret);
    String text =
        "gb_%s%s".formatted(callId.toString().replace("-", ""), HexFormat.of().formatHex(secret));
    return new TaskId(text, callId);
  }

  /** The task id, if the text has the form of one. */
  public static Optional<TaskId> parse(String text) {
    Matcher matcher = FORM.matcher(text);
    return matcher.matches()
        ? Optional.of(new TaskId(text, callId(matcher.group(1))))
        : Optional.empty();
  }

  private static UUID callId(String hex) {
    return new UUID(
        Long.parseUnsignedLong(hex, 0, 16, 16), Long.parseUnsignedLong(hex, 16, 32, 16));
  }
}
