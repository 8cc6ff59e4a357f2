package gatebook.command.call;

import gatebook.events.keys.ContentOwner;

/** A command that loads no entity, and whose events have content of one owner. */
public interface ContentCommand {

  ContentOwner contentOwner();
}
