package gatebook.api.node;

import com.sun.management.OperatingSystemMXBean;
import gatebook.api.http.Readiness;
import gatebook.api.memory.InFlightMemory;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The metrics of this process: the JVM's, and Gatebook's, whose names begin with {@code gatebook_}.
 */
final class ProcessMetrics implements AutoCloseable {

  private static final double NANOS = 1e9;

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics gc = new JvmGcMetrics();

  ProcessMetrics(MeterBinder gatebookMeters) {
    registry.config().meterFilter(new PrometheusNames());
    List.of(
            new JvmMemoryMetrics(),
            gc,
            new JvmThreadMetrics(),
            new ProcessorMetrics(),
            ProcessMetrics::bindProcessorTime,
            gatebookMeters)
        .forEach(meters -> meters.bindTo(registry));
    register(InFlightMemory.OF_PROCESS);
    registerBuild();
  }

  private void registerBuild() {
    Gauge.builder("gatebook.build.info", () -> 1)
        .description("always 1; the labels tell the build that runs")
        .tags("version", Version.text(), "commit", Version.commit(), "java", Version.java())
        .register(registry);
  }

  private void register(InFlightMemory memory) {
    Gauge.builder("gatebook.in.flight.bytes", memory, InFlightMemory::usedBytes)
        .description("the heap that is reserved for messages in flight")
        .register(registry);
    Gauge.builder("gatebook.in.flight.limit.bytes", memory, InFlightMemory::bytesMax)
        .description("the heap that messages in flight may take")
        .register(registry);
    FunctionCounter.builder("gatebook.in.flight.refused", memory, InFlightMemory::refusals)
        .description("messages and answers that did not fit")
        .register(registry);
  }

  /** The library's names for processors, where Prometheus has others. */
  private static final class PrometheusNames implements MeterFilter {
    @Override
    public MeterFilterReply accept(Meter.Id id) {
      return id.getName().equals("process.cpu.time")
          ? MeterFilterReply.DENY
          : MeterFilterReply.NEUTRAL;
    }

    @Override
    public Meter.Id map(Meter.Id id) {
      return id.getName().equals("system.cpu.count") ? id.withName("system.cpus") : id;
    }
  }

  private static void bindProcessorTime(MeterRegistry registry) {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
      FunctionCounter.builder("process.cpu", system, it -> it.getProcessCpuTime() / NANOS)
          .baseUnit("seconds")
          .description("Processor time of this process")
          .register(registry);
    }
  }

  /** Registers gauges for what the probes report. */
  void registerReadiness(Readiness readiness, NodeJournal journal) {
    gauge("gatebook.ready", "1 while this node is ready, else 0", () -> readiness.now().ready());
    gauge(
        "gatebook.journal.appending",
        "1 while the journal takes events, else 0",
        () -> journal.status().problem().isEmpty());
  }

  /** Registers when the certificate of the ports expires. */
  void registerCertificate(Supplier<Optional<Instant>> expires) {
    Gauge.builder(
            "gatebook.tls.certificate.expires.timestamp",
            expires,
            it -> it.get().map(time -> (double) time.getEpochSecond()).orElse(Double.NaN))
        .baseUnit("seconds")
        .description("when the certificate of both ports expires; NaN without TLS")
        .strongReference(true)
        .register(registry);
  }

  private void gauge(String name, String what, BooleanSupplier condition) {
    Gauge.builder(name, condition, it -> it.getAsBoolean() ? 1 : 0)
        .description(what)
        .strongReference(true)
        .register(registry);
  }

  PrometheusMeterRegistry registry() {
    return registry;
  }

  @Override
  public void close() {
    gc.close();
    registry.close();
  }
}
