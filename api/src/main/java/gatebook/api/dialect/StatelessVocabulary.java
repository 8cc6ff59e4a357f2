package gatebook.api.dialect;

import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected;

/**
 * What callers that speak a stateless revision of MCP are told: what others are, and by the HTTP
 * status also that nobody has the method.
 */
final class StatelessVocabulary implements ErrorVocabulary {

  private static final int NOT_FOUND = 404;

  private final ErrorVocabulary others = new McpVocabulary();

  @Override
  public ErrorWords words(Fault fault) {
    ErrorWords errorWords = others.words(fault);
    return fault instanceof Misdirected.MethodNotFound ? errorWords.http(NOT_FOUND) : errorWords;
  }
}
