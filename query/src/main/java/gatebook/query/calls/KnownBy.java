package gatebook.query.calls;

import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The keys under which ids are found.
 *
 * <p>A person may copy an id that is a number of 16 bytes in upper case or without its dashes;
 * other ids are texts of somebody else, in which each character counts.
 */
final class KnownBy {
  private static final Pattern SIXTEEN_BYTES = Pattern.compile("[0-9a-f]{32}");

  private final Set<String> keys = new LinkedHashSet<>();

  /** The keys of an id of which nothing is known. */
  static Set<String> anything(String id) {
    String pasted = id.strip();
    return new KnownBy().text(pasted).number(pasted).keys;
  }

  /** Whoever asks for a text asks for the number that it may be, too: one of both is enough. */
  KnownBy text(@Nullable String id) {
    if (id != null && !keys.contains("#" + digits(id))) {
      keys.add("=" + id);
    }
    return this;
  }

  KnownBy number(UUID id) {
    keys.add("#" + digits(id.toString()));
    return this;
  }

  KnownBy number(@Nullable String id) {
    if (id != null && isNumber(id)) {
      keys.add("#" + digits(id));
    }
    return this;
  }

  private static boolean isNumber(String id) {
    return SIXTEEN_BYTES.matcher(digits(id)).matches();
  }

  private static String digits(String id) {
    return id.replace("-", "").toLowerCase(Locale.ROOT);
  }

  Set<String> keys() {
    return keys;
  }
}
