package gatebook.command.rules.file;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Reads headers of requests. Their values are secrets. */
final class Headers {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}");
  private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7e]{0,8192}");

  /** Headers for transport and correlation, which only the gateway sets. */
  private static final Set<String> RESERVED =
      Set.of(
          "accept",
          "connection",
          "content-length",
          "content-type",
          "expect",
          "host",
          "keep-alive",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "x-correlation-id");

  private Headers() {}

  /** The headers by name, whose case does not matter; none without the value. */
  static Map<String, String> read(Optional<YamlValue> yamlValue) {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    yamlValue
        .map(YamlValue::entries)
        .orElse(Map.of())
        .forEach((name, header) -> header(name, header, headers));
    return headers;
  }

  private static void header(String name, YamlValue yamlValue, Map<String, String> headers) {
    yamlValue.report().maskSecret(yamlValue.node());
    Optional<String> text = yamlValue.isMaskedSecret() ? Optional.of("") : yamlValue.anyText();
    if (!NAME.matcher(name).matches()) {
      yamlValue.mistake("is no name of a header: write letters, digits and '-'");
    } else if (RESERVED.contains(name.toLowerCase(Locale.ROOT))) {
      yamlValue.mistake("is a header that is always set by the gateway itself: leave it out");
    } else if (text.isPresent() && !VALUE.matcher(text.get()).matches()) {
      yamlValue.mistake("must be one line of at most 8192 ASCII characters");
    } else if (text.isPresent() && headers.putIfAbsent(name, text.get()) != null) {
      yamlValue.mistake("is there twice, in another case: keep one");
    }
  }
}
