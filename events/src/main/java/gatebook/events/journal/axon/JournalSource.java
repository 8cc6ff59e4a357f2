package gatebook.events.journal.axon;

import gatebook.events.journal.Journal;
import gatebook.events.vocabulary.Vocabulary;
import gatebook.events.vocabulary.VocabularyConverter;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.axonframework.messaging.core.MessageStream;
import org.axonframework.messaging.core.unitofwork.ProcessingContext;
import org.axonframework.messaging.eventhandling.EventMessage;
import org.axonframework.messaging.eventhandling.processing.streaming.token.TrackingToken;
import org.axonframework.messaging.eventstreaming.StreamableEventSource;
import org.axonframework.messaging.eventstreaming.StreamingCondition;
import org.jspecify.annotations.Nullable;

/** The journal as those see it who follow it and never append: payloads are the stored bytes. */
public final class JournalSource implements StreamableEventSource {
  private final JournalEngine engine;

  public JournalSource(Journal journal) {
    this.engine =
        new JournalEngine(journal, new Messages(new VocabularyConverter(new Vocabulary())));
  }

  @Override
  public MessageStream<EventMessage> open(
      StreamingCondition condition, @Nullable ProcessingContext context) {
    return engine.stream(condition, context);
  }

  @Override
  public CompletableFuture<TrackingToken> firstToken(@Nullable ProcessingContext context) {
    return engine.firstToken(context);
  }

  @Override
  public CompletableFuture<TrackingToken> latestToken(@Nullable ProcessingContext context) {
    return engine.latestToken(context);
  }

  @Override
  public CompletableFuture<TrackingToken> tokenAt(Instant at, @Nullable ProcessingContext context) {
    return engine.tokenAt(at, context);
  }
}
