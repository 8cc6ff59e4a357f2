package gatebook.api.dialect;

import static java.util.stream.Collectors.toUnmodifiableMap;

import gatebook.command.Telling;
import gatebook.command.Tongue;
import gatebook.events.call.Dialect;
import gatebook.events.call.Told;
import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault.InternalError;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one place where a fault becomes a code, a message and data. */
public final class Translation implements Telling {

  private static final Logger LOG = LoggerFactory.getLogger(Translation.class);

  private final Map<Dialect, Vocabulary> vocabularies;

  /** The vocabularies spoken here. */
  public Translation() {
    this(List.of(new McpVocabulary()));
  }

  Translation(List<Vocabulary> vocabularies) {
    this.vocabularies =
        vocabularies.stream().collect(toUnmodifiableMap(Vocabulary::dialect, Function.identity()));
  }

  @Override
  public Told tell(Fault fault, Tongue tongue, String correlationId) {
    Vocabulary vocabulary =
        Objects.requireNonNull(
            vocabularies.get(tongue.dialect()), "a dialect that is not spoken here");
    try {
      return vocabulary.tell(fault, correlationId);
    } catch (RuntimeException e) {
      LOG.atError()
          .addKeyValue("correlation_id", correlationId)
          .addKeyValue("fault", fault.kind())
          .setCause(e)
          .log("a fault could not be translated");
      return vocabulary.tell(new InternalError("translating", fault.kind()), correlationId);
    }
  }
}
