package gatebook.api.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests of {@link RunSlots}. */
final class RunSlotsTest {
  private static final Runnable NOBODY = () -> {};

  private final AtomicInteger max = new AtomicInteger(2);
  private final RunSlots slots = new RunSlots(max::get);
  private final List<String> told = new ArrayList<>();

  @Test
  void noMoreSlotsAreTakenThanThereAre() {
    assertThat(List.of(slots.take(NOBODY), slots.take(NOBODY), slots.take(NOBODY)))
        .containsExactly(true, true, false);
    assertThat(slots.taken()).isEqualTo(2);
  }

  @Test
  void theFirstThatWaitsIsToldOfAFreeSlot() {
    fill();
    slots.take(taker("first"));
    slots.take(taker("second"));

    slots.release();

    assertThat(told).containsExactly("first");
    assertThat(slots.taken()).isEqualTo(2);
  }

  @Test
  void aSlotThatIsNotNeededGoesToOthers() {
    fill();
    slots.take(() -> told.add("needs none"));
    slots.take(taker("next"));

    slots.release();

    assertThat(told).containsExactly("needs none", "next");
  }

  @Test
  void whoWaitsTwiceIsToldOnce() {
    fill();
    Runnable waiting = () -> told.add("told");
    slots.take(waiting);
    slots.take(waiting);

    slots.release();

    assertThat(told).containsExactly("told");
  }

  @Test
  void moreSlotsAreTakenWhenThereAreMore() {
    fill();
    max.set(3);

    assertThat(slots.take(NOBODY)).isTrue();
  }

  private void fill() {
    assertThat(slots.take(NOBODY) && slots.take(NOBODY)).isTrue();
  }

  private Runnable taker(String name) {
    return () -> {
      told.add(name);
      assertThat(slots.take(NOBODY)).isTrue();
    };
  }
}
