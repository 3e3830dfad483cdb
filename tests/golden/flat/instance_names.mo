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
