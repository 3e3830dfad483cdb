// The name of an instance begins with the last name of the model.
package Names
  model Part
    parameter String name = getInstanceName();
    Real x = time;
  end Part;
  model InstanceNames
    parameter String name = getInstanceName();
    Part part;
    Part list[2];
  end InstanceNames;
end Names;
//! expect
// model Names.InstanceNames
//   parameter String name = "InstanceNames"
//   parameter String part.name = "InstanceNames.part"
//   Real part.x = time
//   parameter String list[1].name = "InstanceNames.list[1]"
//   Real list[1].x = time
//   parameter String list[2].name = "InstanceNames.list[2]"
//   Real list[2].x = time
// end Names.InstanceNames
