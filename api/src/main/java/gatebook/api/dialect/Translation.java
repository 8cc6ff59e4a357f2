package gatebook.api.dialect;

import gatebook.api.upstream.Revisions;
import gatebook.command.Telling;
import gatebook.command.Tongue;
import gatebook.command.redact.Scrubber;
import gatebook.events.call.Told;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault.InternalError;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one place where a fault becomes a code, a message and data. */
public final class Translation implements Telling {

  private static final Logger LOG = LoggerFactory.getLogger(Translation.class);

  private final Function<Tongue, Vocabulary> vocabularies;
  private final Texts texts;
  private final Texts withPaths;
  private final Supplier<Scrubber> names;

  /**
   * Translates into every vocabulary.
   *
   * @param scrub takes out of a text what no caller may see
   */
  public Translation(UnaryOperator<String> scrub) {
    this(Translation::vocabulary, scrub);
  }

  /**
   * The same.
   *
   * @param names takes secrets out of names that are recorded, as the rules say; paths stay, as
   *     they do where the URI of a resource is told, which is the caller's own
   */
  public Translation(UnaryOperator<String> scrub, Supplier<Scrubber> names) {
    this(Translation::vocabulary, scrub, text -> names.get().scrub(text), names);
  }

  Translation(Function<Tongue, Vocabulary> vocabularies, UnaryOperator<String> scrub) {
    this(vocabularies, scrub, scrub, () -> Scrubber.NAMES);
  }

  private Translation(
      Function<Tongue, Vocabulary> vocabularies,
      UnaryOperator<String> scrub,
      UnaryOperator<String> scrubExceptPaths,
      Supplier<Scrubber> names) {
    this.vocabularies = vocabularies;
    this.texts = new Texts(scrub);
    this.withPaths = new Texts(scrubExceptPaths);
    this.names = names;
  }

  @Override
  public Scrubber names() {
    return names.get();
  }

  @Override
  public Told tell(Fault fault, Tongue tongue, String correlationId) {
    try {
      return passedOn(fault, tongue, correlationId)
          .orElseGet(
              () -> told(vocabularies.apply(tongue), fault, tongue, correlationId, texts(fault)));
    } catch (RuntimeException | StackOverflowError e) { // patterns that scrub may overflow
      LOG.atError()
          .addKeyValue("correlation_id", correlationId)
          .addKeyValue("fault", fault.kind())
          .setCause(e)
          .log("a fault could not be translated");
      return told(
          vocabulary(tongue),
          new InternalError("translating", fault.kind()),
          tongue,
          correlationId,
          new Texts(UnaryOperator.identity())); // an internal error has only words of our own
    }
  }

  private Texts texts(Fault fault) {
    return fault instanceof Denied denied && denied.content() != null ? withPaths : texts;
  }

  /** The vocabularies that share their codes with the sources' also tell theirs. */
  private Optional<Told> passedOn(Fault fault, Tongue tongue, String correlationId) {
    return switch (tongue.dialect()) {
      case MCP, DAEMON -> PassedOn.told(fault, tongue, correlationId, texts);
      case FLOW, A2A -> Optional.empty();
    };
  }

  private static Told told(
      Vocabulary vocabulary, Fault fault, Tongue tongue, String correlationId, Texts texts) {
    Words words = vocabulary.words(fault);
    return new Told(
        tongue.dialect(),
        words.code(),
        texts.tellable(words.message()),
        vocabulary.data(fault, words, correlationId, texts),
        words.httpStatus());
  }

  private static Vocabulary vocabulary(Tongue tongue) {
    return switch (tongue.dialect()) {
      case MCP ->
          Revisions.isStateless(tongue.version()) ? new StatelessVocabulary() : new McpVocabulary();
      case DAEMON -> new DaemonVocabulary();
      case FLOW -> new FlowVocabulary();
      case A2A ->
          tongue.version() == null
              ? new VaporaVocabulary()
              : new A2aVocabulary(A2aVersion.of(tongue.version()));
    };
  }
}
