package gatebook.api.bench;

import java.net.URI;

/**
 * What is measured: who is called with what, and a part of every answer.
 *
 * @param kind what the product, where it goes through it, must count it as
 */
record Subject(String name, URI url, String body, String answer, Kind kind) {

  enum Kind {
    FOREIGN,
    DENIED,
    FORWARDED
  }
}
