package gatebook.command.rules;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The claims of a token whose signature was verified, as JSON values. */
public record Claims(Map<String, ? extends @Nullable Object> all) {

  /** A single value as text: that of a text, a number or a truth value. */
  Optional<String> text(String path) {
    return find(path).flatMap(Claims::scalar);
  }

  /** All texts of a list; a text alone is a list of one. */
  public List<String> texts(String path) {
    return find(path).stream()
        .flatMap(found -> found instanceof List<?> list ? list.stream() : Stream.of(found))
        .filter(String.class::isInstance)
        .map(String.class::cast)
        .toList();
  }

  /** The values of the claim {@code scope}, or of {@code scp}, which some issuers write instead. */
  List<String> scopes() {
    return Stream.of("scope", "scp")
        .flatMap(name -> texts(name).stream())
        .flatMap(text -> Stream.of(text.split(" ", -1)))
        .toList();
  }

  private static Optional<String> scalar(Object found) {
    return found instanceof String || found instanceof Number || found instanceof Boolean
        ? Optional.of(found.toString())
        : Optional.empty();
  }

  /** A claim of this name; where there is none, dots lead into objects. */
  private Optional<Object> find(String path) {
    return find(all, path);
  }

  private static Optional<Object> find(Map<?, ?> within, String path) {
    Object found = within.get(path);
    if (found != null) {
      return Optional.of(found);
    }
    int dot = path.indexOf('.');
    return dot > 0 && within.get(path.substring(0, dot)) instanceof Map<?, ?> inner
        ? find(inner, path.substring(dot + 1))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return "Claims" + all.keySet().stream().filter(Objects::nonNull).toList();
  }
}
