package gatebook.command.redact;

import gatebook.command.redact.SecretNames.Secrecy;

/**
 * Recognises JSON that scrubbing leaves as it is, without a parser: it has no secret, no escape and
 * no whitespace between its tokens. Where that is not certain, a {@link JsonScrubber} has to read
 * it, for example because the name of a function may begin a frame of a stack trace.
 */
final class CleanJson {

  private static final String PUNCTUATION = "{}[]:,";

  private final Scrubber scrubber;
  private final SecretNames names;
  private final String json;

  /** The name of the last member. */
  private String name = "";

  CleanJson(Scrubber scrubber, SecretNames names, String json) {
    this.scrubber = scrubber;
    this.names = names;
    this.json = json;
  }

  boolean isClean() {
    if (json.indexOf('\\') >= 0 || !TextEnds.wellFormed(json).equals(json)) {
      return false;
    }
    int at = 0;
    while (at < json.length()) {
      int end = isPunctuation(at) ? at + 1 : tokenEnd(at);
      if (end <= at || !(isPunctuation(at) || isClean(at, end))) {
        return false;
      }
      at = end;
    }
    return true;
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
    return scrubber.scrub(token).equals(token) && (!isText || announcesNothing(token, start, end));
  }

  /** Whether what follows does not depend on a text. */
  private boolean announcesNothing(String text, int start, int end) {
    if (isColon(end)) {
      name = text;
      return names.of(text) == Secrecy.NONE && !FrameMembers.isFunction(text);
    }
    return isColon(start - 1)
        ? !JsonScrubber.NAME_MEMBERS.contains(name) || names.of(text) == Secrecy.NONE
        : !text.startsWith("--") && CommandOptionDetector.program(text).isEmpty();
  }

  private boolean isColon(int at) {
    return at >= 0 && at < json.length() && json.charAt(at) == ':';
  }
}
