package gatebook.command.rules.file;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Maps lower-case words to the constants of an enum, in its order. */
final class EnumWords {

  private EnumWords() {}

  static <E extends Enum<E>> Map<String, E> of(Class<E> type) {
    Map<String, E> words = new LinkedHashMap<>();
    Arrays.stream(type.getEnumConstants())
        .forEach(it -> words.put(it.name().toLowerCase(Locale.ROOT), it));
    return words;
  }
}
