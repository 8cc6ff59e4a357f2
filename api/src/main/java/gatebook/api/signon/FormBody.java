package gatebook.api.signon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import java.net.URLEncoder;
import java.util.Map;

/** Writes fields as a form does, for a query or a body. */
final class FormBody {
  static final String TYPE = "application/x-www-form-urlencoded";

  private FormBody() {}

  static String of(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
        .collect(joining("&"));
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }
}
