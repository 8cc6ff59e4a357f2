package gatebook.api.dialect;

import static java.util.stream.Collectors.joining;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Phrases from which error sentences for callers are built. */
final class ErrorPhrases {

  private ErrorPhrases() {}

  static String seconds(long millis) {
    return millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
  }

  static @Nullable String retryAfter(@Nullable Long seconds) {
    return seconds == null ? null : "retry after %ds".formatted(seconds);
  }

  /** Joins the parts that are present with commas. */
  static String parts(@Nullable String... parts) {
    return Stream.of(parts).filter(Objects::nonNull).collect(joining(", "));
  }

  /** {@code task-not-found} for {@code TaskNotFound}. */
  static String dashed(String kind) {
    return kind.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
  }

  /** Scheme, host, port and path of a URL; absent when it cannot be parsed. */
  static @Nullable String withoutSecrets(String url) {
    try {
      URI uri = new URI(url);
      return uri.getHost() == null
          ? null
          : new URI(uri.getScheme(), null, uri.getHost(), uri.getPort(), uri.getPath(), null, null)
              .toString();
    } catch (URISyntaxException _) {
      return null;
    }
  }
}
