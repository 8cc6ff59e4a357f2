package gatebook.command.redact;

import gatebook.command.redact.SecretNames.Secrecy;
import java.util.regex.Pattern;

/**
 * Recognises JSON that scrubbing leaves as it is, without a parser: it is one value and has no
 * secret, no escape and no whitespace between its tokens. Where that is not certain, a {@link
 * JsonScrubber} has to read it, for example because the name of a function may begin a frame of a
 * stack trace.
 */
final class CleanJson {

  private static final String PUNCTUATION = "{}[]:,";

  private static final Pattern LITERAL =
      Pattern.compile("true|false|null|-?(?:0|[1-9][0-9]*+)(?:\\.[0-9]++)?(?:[eE][+-]?[0-9]++)?");

  private final Scrubber scrubber;
  private final SecretNames names;
  private final String json;
  private final TokenOrder order = new TokenOrder();

  /** The name of the last member. */
  private String name = "";

  CleanJson(Scrubber scrubber, SecretNames names, String json) {
    this.scrubber = scrubber;
    this.names = names;
    this.json = json;
  }

  boolean isClean() {
    if (!hasPlainCharacters()) {
      return false;
    }
    int at = 0;
    while (at < json.length()) {
      boolean isMark = isPunctuation(at);
      int end = isMark ? at + 1 : tokenEnd(at);
      if (end <= at || !order.add(json.charAt(at)) || !(isMark || isClean(at, end))) {
        return false;
      }
      at = end;
    }
    return order.isWhole();
  }

  /** Whether there are no escapes, no control characters and no halves of surrogate pairs. */
  private boolean hasPlainCharacters() {
    for (int at = 0; at < json.length(); at++) {
      if (json.charAt(at) < ' ' || json.charAt(at) == '\\') {
        return false;
      }
    }
    return TextEnds.wellFormed(json).equals(json);
  }

  private boolean isPunctuation(int at) {
    return PUNCTUATION.indexOf(json.charAt(at)) >= 0;
  }

  /** The end of a text, of a number, of null or of a truth value; no whitespace is part of it. */
  private int tokenEnd(int start) {
    if (json.charAt(start) == '"') {
      return json.indexOf('"', start + 1) + 1;
    }
    int at = start;
    while (at < json.length() && json.charAt(at) > ' ' && !isPunctuation(at)) {
      at++;
    }
    return at;
  }

  private boolean isClean(int start, int end) {
    boolean isText = json.charAt(start) == '"';
    String token = isText ? json.substring(start + 1, end - 1) : json.substring(start, end);
    return scrubber.scrub(token).equals(token)
        && (isText ? announcesNothing(token) : isLiteral(token));
  }

  /** Most numbers are of digits only: they need no matcher. */
  private static boolean isLiteral(String token) {
    boolean isWholeNumber =
        token.charAt(0) != '0' && CharClasses.skip(token, 0, CharClasses.DIGIT) == token.length();
    return isWholeNumber || LITERAL.matcher(token).matches();
  }

  /** Whether what follows does not depend on a text. */
  private boolean announcesNothing(String text) {
    if (order.isName()) {
      name = text;
      return names.of(text) == Secrecy.NONE && !FrameMembers.isFunction(text);
    }
    return order.isInObject()
        ? !JsonScrubber.NAME_MEMBERS.contains(name) || names.of(text) == Secrecy.NONE
        : !text.startsWith("--") && CommandOptionDetector.program(text).isEmpty();
  }
}
