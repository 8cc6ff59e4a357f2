package gatebook.api.dialect;

import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected;

/**
 * The error vocabulary of MCP's stateless revisions: that of the others, with HTTP status 404 for
 * an unknown method.
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
