package gatebook.api.load;

import java.net.URI;

/**
 * A subject of the measurement: the URL that is called, the request, and a part of every response.
 *
 * @param kind how Gatebook must count its calls, if they pass through Gatebook
 */
public record Subject(String name, URI url, String body, String answer, Kind kind) {

  public enum Kind {
    FOREIGN,
    DENIED,
    FORWARDED
  }
}
