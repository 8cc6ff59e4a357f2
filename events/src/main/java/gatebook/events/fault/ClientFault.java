package gatebook.events.fault;

/** A fault whose cause lies with the caller, or with what the caller is allowed to do. */
public sealed interface ClientFault extends Fault
    permits Malformed, Misdirected, Denied, Withheld, TaskFault, Unsupported {

  @Override
  default Category category() {
    return Category.CLIENT;
  }

  @Override
  default Severity severity() {
    return Severity.WARN;
  }
}
