package gatebook.api.operator.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gatebook.api.operator.redecide.CandidateComparison.Check;
import gatebook.api.operator.redecide.CandidateComparison.Comparison;
import gatebook.api.operator.whatif.CallAssembly.Assembled;
import gatebook.events.journal.storage.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ComparisonThreadsTest {
  private static final Comparison NONE =
      new Comparison.NotReplayable("x", "y", new Check.NotChecked("x"));

  private static final byte[] NONE_BYTES = {};

  private final List<UUID> given = new ArrayList<>();

  @Test
  void resultsHaveTheOrderOfTheCalls() throws InterruptedException {
    CountDownLatch second = new CountDownLatch(1);
    try (ComparisonThreads threads =
        new ComparisonThreads(
            2,
            call -> {
              if (call.equals(call(0))) {
                second.await();
              } else {
                second.countDown();
              }
              return compared(call);
            },
            call -> given.add(call.callId()))) {
      threads.compare(List.of(call(0)));
      threads.compare(List.of());
      threads.compare(List.of(call(1), call(2)));
      threads.compareHere(List.of(call(3)));

      assertThat(given).containsExactlyElementsOf(ids(4));
    }
  }

  /** It waits for the results of the first part before it takes one more. */
  @Test
  void partsThatWaitAreBounded() throws InterruptedException {
    try (ComparisonThreads threads =
        new ComparisonThreads(
            1, ComparisonThreadsTest::compared, call -> given.add(call.callId()))) {
      for (int i = 0; i < 3; i++) {
        threads.compare(List.of(call(i)));
      }
      assertThat(given).containsExactlyElementsOf(ids(1));
      threads.finish();
      assertThat(given).containsExactlyElementsOf(ids(3));
    }
  }

  @Test
  void bytesThatWaitAreBounded() throws InterruptedException {
    int half = (int) (ComparisonThreads.PENDING_BYTES_MAX / 2);
    try (ComparisonThreads threads =
        new ComparisonThreads(
            2, ComparisonThreadsTest::compared, call -> given.add(call.callId()))) {
      threads.compare(List.of(call(0, half)));
      threads.compare(List.of(call(1, half)));
      assertThat(given).isEmpty();
      threads.compare(List.of(call(2, 1)));
      assertThat(given).containsExactlyElementsOf(ids(1));
    }
  }

  @Test
  void failureOfAThreadIsThrown() throws InterruptedException {
    try (ComparisonThreads threads =
        new ComparisonThreads(
            1,
            _ -> {
              throw new IllegalStateException("a fault");
            },
            _ -> {})) {
      threads.compare(List.of(call(0)));

      assertThatThrownBy(threads::finish).hasMessage("a fault");
    }
  }

  private static Assembled call(int i, int bytes) {
    Entry entry = new Entry(i, "", "", "", "", "", "", new byte[bytes], NONE_BYTES, NONE_BYTES);
    return new Assembled(
        new UUID(0, i), List.of(new CallAssembly.Part(entry, Optional.empty())), true);
  }

  private static Assembled call(int i) {
    return new Assembled(new UUID(0, i), List.of(), true);
  }

  private static ComparedCall compared(Assembled call) {
    return new ComparedCall(call.callId(), "", null, NONE);
  }

  private static List<UUID> ids(int count) {
    return IntStream.range(0, count).mapToObj(i -> new UUID(0, i)).toList();
  }
}
