package gatebook.command.rules.file;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Masks the secrets of a text and leaves the rest as it is written. */
final class MaskedText {

  private MaskedText() {}

  /** Anchors and tags before a secret stay, and so does the white space that ends a block. */
  private static final Pattern SURROUNDINGS =
      Pattern.compile("(?<front>(?:[&!]\\S*\\s+)*).*?(?<back>\\s*)", Pattern.DOTALL);

  static String of(MistakeReport mistakeReport) {
    FilledText text = mistakeReport.text();
    StringBuilder masked = new StringBuilder();
    int done = 0;
    for (MistakeReport.Range secret : mistakeReport.secrets()) {
      if (secret.start() >= done) { // an alias lists the same range twice
        masked.append(text.string(done, secret.start()));
        masked.append(replacement(text.string(secret.start(), secret.end()), secret.replacement()));
        done = secret.end();
      }
    }
    return masked.append(text.string(done, text.length())).toString();
  }

  private static String replacement(String written, String replacement) {
    Matcher around = SURROUNDINGS.matcher(written);
    return around.matches()
        ? around.group("front") + replacement + around.group("back")
        : replacement;
  }
}
