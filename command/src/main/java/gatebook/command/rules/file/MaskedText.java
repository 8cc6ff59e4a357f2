package gatebook.command.rules.file;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A text without what is secret in it; all else stays as it is written. */
final class MaskedText {

  private MaskedText() {}

  /** What an alias needs stays in front, and what ends a block stays behind. */
  private static final Pattern AROUND =
      Pattern.compile("(?<front>(?:[&!]\\S*\\s+)*).*?(?<back>\\s*)", Pattern.DOTALL);

  static String of(MistakeReport mistakeReport) {
    FilledText text = mistakeReport.text();
    StringBuilder kept = new StringBuilder();
    int done = 0;
    for (MistakeReport.Range secret : mistakeReport.secrets()) {
      if (secret.start() >= done) { // an alias makes one place secret twice
        kept.append(text.string(done, secret.start()));
        kept.append(instead(text.string(secret.start(), secret.end()), secret.instead()));
        done = secret.end();
      }
    }
    return kept.append(text.string(done, text.length())).toString();
  }

  private static String instead(String written, String instead) {
    Matcher around = AROUND.matcher(written);
    return around.matches() ? around.group("front") + instead + around.group("back") : instead;
  }
}
