package gatebook.api.dialect;

import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected;

/**
 * What callers that speak a stateless revision of MCP are told: what others are, and by the HTTP
 * status also that nobody has the method.
 */
final class StatelessVocabulary implements Vocabulary {

  private static final int NOT_FOUND = 404;

  private final Vocabulary others = new McpVocabulary();

  @Override
  public Words words(Fault fault) {
    Words words = others.words(fault);
    return fault instanceof Misdirected.MethodNotFound ? words.http(NOT_FOUND) : words;
  }
}
