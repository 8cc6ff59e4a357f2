package gatebook.api.bench;

import java.net.URI;

/**
 * A subject of the measurement: the URL that is called, the request, and a part of every response.
 *
 * @param kind how Gatebook must count its calls, if they pass through Gatebook
 */
record Subject(String name, URI url, String body, String answer, Kind kind) {

  enum Kind {
    FOREIGN,
    DENIED,
    FORWARDED
  }
}
