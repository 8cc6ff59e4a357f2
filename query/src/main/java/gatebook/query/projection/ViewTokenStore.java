package gatebook.query.projection;

import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.axonframework.messaging.core.unitofwork.ProcessingContext;
import org.axonframework.messaging.eventhandling.processing.streaming.segmenting.Segment;
import org.axonframework.messaging.eventhandling.processing.streaming.token.GlobalSequenceTrackingToken;
import org.axonframework.messaging.eventhandling.processing.streaming.token.TrackingToken;
import org.axonframework.messaging.eventhandling.processing.streaming.token.store.TokenStore;
import org.jspecify.annotations.Nullable;

/**
 * An Axon token store that reads the positions of builds, and stores nothing: each build stores its
 * position with its rows. A processor has one segment, and claims are not needed, because the file
 * of the views belongs to this process alone.
 */
final class ViewTokenStore implements TokenStore {
  private static final List<Segment> WHOLE = List.of(Segment.ROOT_SEGMENT);

  private final JournalFollower follower;

  ViewTokenStore(JournalFollower follower) {
    this.follower = follower;
  }

  @Override
  public CompletableFuture<Void> storeToken(
      @Nullable TrackingToken token,
      String processor,
      int segment,
      @Nullable ProcessingContext context) {
    return done();
  }

  @Override
  public CompletableFuture<TrackingToken> fetchToken(
      String processor, int segment, @Nullable ProcessingContext context) {
    try {
      return CompletableFuture.completedFuture(new GlobalSequenceTrackingToken(follower.resume()));
    } catch (SQLException e) {
      return CompletableFuture.failedFuture(new ViewFailed(e));
    }
  }

  @Override
  public CompletableFuture<List<Segment>> initializeTokenSegments(
      String processor,
      int segments,
      @Nullable TrackingToken first,
      @Nullable ProcessingContext context) {
    return CompletableFuture.completedFuture(WHOLE);
  }

  @Override
  public CompletableFuture<Void> initializeSegment(
      @Nullable TrackingToken token,
      String processor,
      Segment segment,
      @Nullable ProcessingContext context) {
    throw new UnsupportedOperationException("a view has one segment");
  }

  @Override
  public CompletableFuture<Void> deleteToken(
      String processor, int segment, @Nullable ProcessingContext context) {
    throw new UnsupportedOperationException("a view has one segment");
  }

  @Override
  public CompletableFuture<Void> extendClaim(
      String processor, int segment, @Nullable ProcessingContext context) {
    return done();
  }

  @Override
  public CompletableFuture<Void> releaseClaim(
      String processor, int segment, @Nullable ProcessingContext context) {
    return done();
  }

  @Override
  public CompletableFuture<Segment> fetchSegment(
      String processor, int segment, @Nullable ProcessingContext context) {
    return CompletableFuture.completedFuture(Segment.ROOT_SEGMENT);
  }

  @Override
  public CompletableFuture<List<Segment>> fetchSegments(
      String processor, @Nullable ProcessingContext context) {
    return CompletableFuture.completedFuture(WHOLE);
  }

  @Override
  public CompletableFuture<List<Segment>> fetchAvailableSegments(
      String processor, @Nullable ProcessingContext context) {
    return CompletableFuture.completedFuture(WHOLE);
  }

  @Override
  public CompletableFuture<String> retrieveStorageIdentifier(@Nullable ProcessingContext context) {
    return CompletableFuture.completedFuture("views");
  }

  private static CompletableFuture<Void> done() {
    return CompletableFuture.completedFuture(null);
  }
}
