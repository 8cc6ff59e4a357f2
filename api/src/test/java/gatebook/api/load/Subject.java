package gatebook.api.load;

import java.net.URI;
import java.util.List;
import java.util.Map;

/**
 * A subject of the measurement: the URL that is called, the request, and a part of every response.
 *
 * @param body in which {@code %n} stands for a number that differs in each request
 * @param kind how its calls are counted
 * @param callers the headers of those who call it in turn
 */
public record Subject(
    String name,
    URI url,
    String body,
    String answer,
    Kind kind,
    List<Map<String, String>> callers) {

  /** Who counts a subject's calls. */
  public enum Kind {
    /** Nobody. */
    FOREIGN,
    /** The stub, which they reach directly or through another proxy. */
    PROXIED,
    /** Gatebook, all as denials. */
    DENIED,
    /** Gatebook, none as a denial or an error. */
    FORWARDED
  }

  public Subject {
    if (callers.size() > 1 && !body.contains("%n")) {
      throw new IllegalArgumentException("callers take turns where requests differ: " + name);
    }
  }

  /** A subject with one caller, who sends no header of its own. */
  public Subject(String name, URI url, String body, String answer, Kind kind) {
    this(name, url, body, answer, kind, List.of(Map.of()));
  }

  /** The same with no more callers than this. */
  Subject withCallers(int most) {
    List<Map<String, String>> some = callers.subList(0, Math.min(most, callers.size()));
    return new Subject(name, url, body, answer, kind, some);
  }
}
