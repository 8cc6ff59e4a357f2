package gatebook.api.flow.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests of {@link RunSlots}. */
final class RunSlotsTest {
  private final AtomicInteger max = new AtomicInteger(2);
  private final RunSlots slots = new RunSlots(max::get);
  private final List<String> told = new ArrayList<>();

  @Test
  void noMoreSlotsAreTakenThanThereAre() {
    assertThat(List.of(take(), take(), take())).containsExactly(true, true, false);
    assertThat(slots.taken()).isEqualTo(2);
  }

  @Test
  void theFirstThatWaitsIsToldOfAFreeSlot() {
    fill();
    waitFor(taker("first"));
    waitFor(taker("second"));

    slots.release();

    assertThat(told).containsExactly("first");
    assertThat(slots.taken()).isEqualTo(2);
  }

  @Test
  void aSlotThatIsNotNeededGoesToOthers() {
    fill();
    waitFor(() -> told.add("needs none"));
    waitFor(taker("next"));

    slots.release();

    assertThat(told).containsExactly("needs none", "next");
  }

  @Test
  void whoWaitsTwiceIsToldOnce() {
    fill();
    Runnable waiting = () -> told.add("told");
    waitFor(waiting);
    waitFor(waiting);

    slots.release();

    assertThat(told).containsExactly("told");
  }

  @Test
  void moreSlotsAreTakenWhenThereAreMore() {
    fill();
    max.set(3);

    assertThat(take()).isTrue();
  }

  @Test
  void whatRunsAnywayKeepsOthersFromStarting() {
    fill();
    slots.takeAnyway();
    waitFor(taker("first"));

    slots.release();
    assertThat(told).isEmpty();

    slots.release();
    assertThat(told).containsExactly("first");
  }

  private void fill() {
    assertThat(List.of(take(), take())).containsOnly(true);
  }

  private void waitFor(Runnable slotUser) {
    assertThat(slots.take(slotUser)).isFalse();
  }

  private boolean take() {
    return slots.take(() -> told.add("nobody"));
  }

  private Runnable taker(String name) {
    return () -> {
      told.add(name);
      assertThat(take()).isTrue();
    };
  }
}
