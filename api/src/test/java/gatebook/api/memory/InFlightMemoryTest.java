package gatebook.api.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class InFlightMemoryTest {

  private static final long MIB = 1 << 20;

  private final InFlightMemory memory = new InFlightMemory(400 * MIB, 50);

  @Test
  void messageReservesWhatItGrowsTo() {
    MemoryReservation reservation = memory.open();

    assertThat(reservation.resize(MIB)).isTrue();

    assertThat(memory.usedBytes()).isEqualTo(InFlightMemory.GROWTH * MIB);
    assertThat(memory.bytesMax()).isEqualTo(200 * MIB);
  }

  @Test
  void messageThatDoesNotFitIsRefusedAndChangesNothing() {
    MemoryReservation first = memory.open();
    MemoryReservation second = memory.open();

    assertThat(first.resize(memory.messageBytesMax())).isTrue();
    assertThat(second.resize(MIB)).isFalse();

    assertThat(memory.usedBytes()).isEqualTo(memory.messageBytesMax() * InFlightMemory.GROWTH);
    assertThat(memory.refusals()).isOne();
    assertThat(memory.open().resize(memory.messageBytesMax() + 1)).isFalse();
  }

  @Test
  void largeMessagesLeaveRoomForSmallOnes() {
    assertThat(memory.open().resize(memory.messageBytesMax())).isTrue();

    assertThat(memory.open().resize(InFlightMemory.SMALL_BYTES_MAX + 1)).isFalse();
    assertThat(memory.open().resize(InFlightMemory.SMALL_BYTES_MAX)).isTrue();
  }

  @Test
  void memoryComesBackAfterTheLastHolder() {
    MemoryReservation reservation = memory.open();
    assertThat(reservation.resize(MIB)).isTrue();
    reservation.add(MIB);
    MemoryReservation held = reservation.hold();

    reservation.release();
    assertThat(memory.usedBytes()).isEqualTo(2 * MIB * InFlightMemory.GROWTH);

    held.release();
    assertThat(memory.usedBytes()).isZero();
  }

  @Test
  void growingMessageReservesInSteps() {
    MemoryReservation reservation = memory.open();

    assertThat(reservation.growTo(100)).isTrue();
    assertThat(memory.usedBytes()).isEqualTo(100 * InFlightMemory.GROWTH);
    assertThat(reservation.growTo(70_000)).isTrue();
    assertThat(reservation.growTo(128 << 10)).isTrue();
    assertThat(memory.usedBytes()).isEqualTo((128 << 10) * InFlightMemory.GROWTH);
    assertThat(reservation.resize(0)).isTrue();
    assertThat(memory.usedBytes()).isZero();
  }

  @Test
  void smallerShareOfTheHeapAdmitsLess() {
    memory.setPercentMax(1);

    assertThat(memory.bytesMax()).isEqualTo(4 * MIB);
    assertThat(memory.open().resize(MIB)).isFalse();
  }

  @Test
  void threadsNeverReserveMoreThanThereIs() {
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<CompletableFuture<Void>> all =
          IntStream.range(0, 4)
              .mapToObj(_ -> CompletableFuture.runAsync(this::reserveAndRelease, threads))
              .toList();
      all.forEach(CompletableFuture::join);
    }

    assertThat(memory.usedBytes()).isZero();
  }

  private void reserveAndRelease() {
    for (int i = 0; i < 10_000; i++) {
      MemoryReservation reservation = memory.open();
      boolean fits = reservation.resize(8 * MIB);
      assertThat(memory.usedBytes()).isBetween(fits ? 1L : 0L, memory.bytesMax());
      reservation.release();
    }
  }
}
